import type { Cancel, Clock } from "../../api/clock.ts";

/**
 * Keys waiting to be reconciled, one at a time, each at most once in the queue: the rate-limited work queue of
 * client-go (util/workqueue), on an injected clock. `reconcile` is retried with exponential backoff when it throws.
 */
export class WorkQueue {
  private readonly pending = new Set<string>();
  private readonly timers = new Map<string, { at: number; cancel: Cancel }>();
  private readonly failures = new Map<string, number>();
  private scheduled: Cancel | undefined;
  private stopped = false;

  constructor(
    private readonly clock: Clock,
    private readonly reconcile: (key: string) => void,
    private readonly onError: (key: string, error: unknown) => void = () => {},
  ) {}

  /** Queues `key` to be reconciled soon. */
  add(key: string): void {
    if (this.stopped || this.pending.has(key)) return;
    this.pending.add(key);
    this.scheduled ??= this.clock.soon(() => this.drain());
  }

  /** Queues `key` in `ms` milliseconds; an earlier appointment for the same key wins. */
  addAfter(key: string, ms: number): void {
    if (this.stopped) return;
    if (ms <= 0) {
      this.add(key);
      return;
    }
    const at = this.clock.now() + ms;
    const existing = this.timers.get(key);
    if (existing && existing.at <= at) return;
    existing?.cancel();
    const cancel = this.clock.after(ms, () => {
      this.timers.delete(key);
      this.add(key);
    });
    this.timers.set(key, { at, cancel });
  }

  /** Queues `key` after 5 ms, doubling with each call until `forget` (client-go's default rate limiter). */
  addRateLimited(key: string): void {
    const failures = this.failures.get(key) ?? 0;
    this.failures.set(key, failures + 1);
    this.addAfter(key, Math.min(5 * 2 ** Math.min(failures, 30), 1_000_000));
  }

  forget(key: string): void {
    this.failures.delete(key);
  }

  /** True when nothing is queued and nothing is waiting for its time. */
  get idle(): boolean {
    return this.pending.size === 0 && this.timers.size === 0;
  }

  stop(): void {
    this.stopped = true;
    this.scheduled?.();
    for (const timer of this.timers.values()) timer.cancel();
    this.timers.clear();
    this.pending.clear();
  }

  /** Works through the queue for at most 10 ms a turn, so that requests are answered in between. */
  private drain(): void {
    this.scheduled = undefined;
    const start = performance.now();
    for (const key of this.pending) {
      this.pending.delete(key);
      try {
        this.reconcile(key);
        this.failures.delete(key);
      } catch (error) {
        this.onError(key, error);
        this.addRateLimited(key);
      }
      if (this.stopped) return;
      if (performance.now() - start > 10) break;
    }
    if (this.pending.size > 0) this.scheduled ??= this.clock.soon(() => this.drain());
  }
}
