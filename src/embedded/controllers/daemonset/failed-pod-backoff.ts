/** How long a failed daemon on a node is left before it is replaced: 1 s, doubling up to 15 minutes, forgotten after twice that. */
export class FailedPodBackoff {
  private static readonly first = 1000;
  private static readonly longest = 15 * 60_000;
  private readonly entries = new Map<string, { delay: number; since: number }>();

  /** Milliseconds to wait; 0: replace it now (and wait longer the next time). */
  take(key: string, now: number): number {
    const entry = this.entries.get(key);
    if (entry !== undefined && now - entry.since < entry.delay) return entry.delay - (now - entry.since);
    const forgotten = entry === undefined || now - entry.since > 2 * FailedPodBackoff.longest;
    const delay = forgotten ? FailedPodBackoff.first : Math.min(entry.delay * 2, FailedPodBackoff.longest);
    this.entries.set(key, { delay, since: now });
    return 0;
  }

  forget(prefix: string): void {
    for (const key of this.entries.keys()) if (key.startsWith(prefix)) this.entries.delete(key);
  }
}
