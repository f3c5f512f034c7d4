import { CronExpressionParser } from "cron-parser";

/** The times a CronJob's schedule names. */
export interface Schedule {
  /** The first time after `ms` (milliseconds since the epoch); undefined where there is none, as on 31 February. */
  next(ms: number): number | undefined;
}

const shorthands: Record<string, string> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

const units: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, us: 0.001, µs: 0.001, ns: 0.000001 };

/**
 * Reads a schedule: five fields of cron, a name such as `@daily`, or `@every 1h30m`. What is none of these
 * has no next time: the API server refuses it.
 *
 * @param zone an IANA time zone; the controller's own is UTC
 */
export function parseSchedule(schedule: string, zone = "UTC"): Schedule {
  const every = /^@every (.+)$/.exec(schedule);
  if (every) {
    const period = Math.max(1000, Math.floor(duration(every[1]!) / 1000) * 1000);
    return { next: (ms) => Math.floor((ms + period) / 1000) * 1000 };
  }
  const fields = (shorthands[schedule] ?? schedule).trim();
  return {
    next(ms) {
      try {
        return CronExpressionParser.parse(fields, { currentDate: new Date(ms), tz: zone })
          .next()
          .getTime();
      } catch {
        return undefined;
      }
    },
  };
}

function duration(text: string): number {
  let ms = 0;
  for (const [, count, unit] of text.matchAll(/([0-9.]+)(ns|us|µs|ms|s|m|h)/g)) ms += Number(count) * units[unit!]!;
  return ms;
}

/** The last time before or at now for which nothing was started yet. */
export interface Unmet {
  at: number | undefined;
  /** More than a hundred times went by since the last start. */
  tooMany: boolean;
  /** Some time went by, though it may be that none of them counts any more. */
  missed: boolean;
}

/**
 * What a schedule asked for since `earliest`.
 *
 * @throws Error when the schedule never comes
 */
export function unmetTime(schedule: Schedule, earliest: number, now: number): Unmet {
  const first = schedule.next(earliest);
  const second = first === undefined ? undefined : schedule.next(first);
  if (first === undefined || second === undefined) {
    throw new Error("time difference between two schedules is less than 1 second");
  }
  if (now < first) return { at: undefined, tooMany: false, missed: false };
  if (now < second) return { at: first, tooMany: false, missed: false };
  const step = second - first;
  const count = Math.floor((now - first) / step) + 1;
  // From close to now on: the schedule is asked for few times however long ago `earliest` is.
  let at: number | undefined;
  for (let t = schedule.next(first + (count - 2) * step); t !== undefined && t <= now; t = schedule.next(t)) at = t;
  return { at, tooMany: count > 100, missed: true };
}

/** RFC 3339 in a time zone: `2026-01-01T01:00:00+01:00`, with `Z` for UTC. */
export function timeIn(zone: string | undefined, ms: number): string {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone ?? "UTC",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "longOffset",
  }).formatToParts(ms);
  const part = (type: string) => parts.find((p) => p.type === type)?.value ?? "";
  const offset =
    part("timeZoneName")
      .replace("GMT", "")
      .replace(/^[+-]00:00$/, "") || "Z";
  const time = `${part("hour")}:${part("minute")}:${part("second")}`;
  return `${part("year")}-${part("month")}-${part("day")}T${time}${offset}`;
}
