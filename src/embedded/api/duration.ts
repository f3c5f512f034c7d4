/**
 * A duration with two or three significant figures, as AGE and RESTARTS cells show it
 * (k8s.io/apimachinery/pkg/util/duration.HumanDuration).
 * @param ms milliseconds
 */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  // Clocks may differ by two seconds.
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return pair(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return pair(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 24 * 8) return pair(days, "d", hours % 24, "h");
  if (hours < 24 * 365 * 2) return `${days}d`;
  const years = Math.trunc(days / 365);
  if (hours < 24 * 365 * 8) return pair(years, "y", days % 365, "d");
  return `${years}y`;
}

/** The age of an RFC 3339 time at `now` (milliseconds), or `<unknown>` when there is none. */
export function ageSince(time: string | null | undefined, now: number): string {
  return time ? humanDuration(now - Date.parse(time)) : "<unknown>";
}

function pair(first: number, firstUnit: string, second: number, secondUnit: string): string {
  return second === 0 ? `${first}${firstUnit}` : `${first}${firstUnit}${second}${secondUnit}`;
}
