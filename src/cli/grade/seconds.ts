import { PracticeError } from "../../messages/practice-error.ts";

/** Seconds of `90`, `90s`, `2m`, `500ms`. Throws PracticeError of kind usage for anything else, and for nothing. */
export function readSeconds(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text);
  const seconds = Number(match?.[1]) * { ms: 0.001, s: 1, m: 60 }[(match?.[2] ?? "s") as "s"];
  if (!(seconds > 0)) throw new PracticeError("usage", "grade.bad-duration", { text });
  return seconds;
}
