/** Cancels what was scheduled. Calling it twice, or after it ran, does nothing. */
export type Cancel = () => void;

/** Time as controllers, the scheduler and the kubelets see it, so that tests can drive it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `task` once after `ms` milliseconds. */
  after(ms: number, task: () => void): Cancel;
  /** Runs `task` soon, after the current turn. */
  soon(task: () => void): Cancel;
}

/** The machine's clock. Its timers never keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, Math.min(ms, 2 ** 31 - 1));
    timer.unref();
    return () => clearTimeout(timer);
  },
  soon(task) {
    const handle = setImmediate(task);
    return () => clearImmediate(handle);
  },
};

/** A clock that stands still until `advance` moves it; due tasks run in time order. */
export class FakeClock implements Clock {
  private time: number;
  private sequence = 0;
  private queue: { at: number; order: number; task: () => void }[] = [];

  constructor(start = Date.parse("2026-01-01T00:00:00Z")) {
    this.time = start;
  }

  now(): number {
    return this.time;
  }

  after(ms: number, task: () => void): Cancel {
    const entry = { at: this.time + Math.max(0, ms), order: this.sequence++, task };
    this.queue.push(entry);
    return () => {
      this.queue = this.queue.filter((e) => e !== entry);
    };
  }

  soon(task: () => void): Cancel {
    return this.after(0, task);
  }

  /** Moves time forward by `ms`, running all that falls due, including what due tasks schedule. */
  advance(ms = 0): void {
    const end = this.time + ms;
    for (;;) {
      const due = this.queue.filter((e) => e.at <= end).sort((a, b) => a.at - b.at || a.order - b.order)[0];
      if (!due) break;
      this.queue = this.queue.filter((e) => e !== due);
      this.time = Math.max(this.time, due.at);
      due.task();
    }
    this.time = end;
  }
}

/** metav1.Time: RFC 3339 with seconds, as in creationTimestamp. */
export function rfc3339(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, "Z");
}

/** metav1.MicroTime: RFC 3339 with six decimals, as in Lease.spec.renewTime. */
export function rfc3339Micro(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "000Z");
}
