/** Field bounds of a cron schedule, and names that may stand for numbers. */
const bounds = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"] },
  { min: 0, max: 6, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];

const descriptors = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];

class ScheduleError extends Error {}

/** What is wrong with a cron schedule, in the words of the parser that the API server uses; undefined: nothing. */
export function scheduleError(schedule: string): string | undefined {
  const spec = schedule.replace(/^(CRON_)?TZ=\S+\s*/, "");
  try {
    check(spec);
    return undefined;
  } catch (error) {
    if (error instanceof ScheduleError) return error.message;
    throw error;
  }
}

function check(spec: string): void {
  if (spec === "") throw new ScheduleError("empty spec string");
  if (spec.startsWith("@")) {
    const every = /^@every (.+)$/.exec(spec);
    if (every && /^([0-9.]+(ns|us|µs|ms|s|m|h))+$/.test(every[1] ?? "")) return;
    if (every) {
      throw new ScheduleError(`failed to parse duration ${spec}: time: invalid duration ${JSON.stringify(every[1])}`);
    }
    if (!descriptors.includes(spec)) throw new ScheduleError(`unrecognized descriptor: ${spec}`);
    return;
  }
  const fields = spec.split(/\s+/).filter((f) => f !== "");
  if (fields.length !== 5) {
    throw new ScheduleError(`expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`);
  }
  for (const [i, field] of fields.entries()) for (const part of field.split(",")) checkRange(part, i);
}

function checkRange(part: string, index: number): void {
  const bound = bounds[index] ?? { min: 0, max: 0, names: [] };
  const [range = "", stepText, ...more] = part.split("/");
  const [lowText = "", highText, ...moreRange] = range.split("-");
  let start = bound.min;
  let end = bound.max;
  const single = highText === undefined;
  if (lowText !== "*" && lowText !== "?") {
    start = number(lowText, bound.names, bound.min);
    if (moreRange.length > 0) throw new ScheduleError(`too many hyphens: ${part}`);
    end = single ? start : number(highText, bound.names, bound.min);
  }
  let step = 1;
  if (more.length > 0) throw new ScheduleError(`too many slashes: ${part}`);
  if (stepText !== undefined) {
    step = number(stepText, [], 0);
    if (single) end = bound.max;
  }
  if (start < bound.min) {
    throw new ScheduleError(`beginning of range (${start}) below minimum (${bound.min}): ${part}`);
  }
  if (end > bound.max) throw new ScheduleError(`end of range (${end}) above maximum (${bound.max}): ${part}`);
  if (start > end) throw new ScheduleError(`beginning of range (${start}) beyond end of range (${end}): ${part}`);
  if (step === 0) throw new ScheduleError(`step of range should be a positive number: ${part}`);
}

function number(text: string, names: string[], offset: number): number {
  const name = names.indexOf(text.toLowerCase());
  if (name >= 0) return name + offset;
  if (!/^[+-]?[0-9]+$/.test(text)) {
    throw new ScheduleError(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  }
  const value = Number(text);
  if (value < 0) throw new ScheduleError(`negative number (${value}) not allowed: ${text}`);
  return value;
}
