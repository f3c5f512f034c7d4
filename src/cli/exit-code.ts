import { PracticeError } from "../messages/practice-error.ts";

/** What a command's end tells a script (design.md section 3). A grader must be able to tell `notYet` from `environment`. */
export const exitCodes = {
  ok: 0,
  notYet: 1,
  usage: 2,
  environment: 3,
  bug: 70,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The only place where an error becomes an exit code. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof PracticeError) return exitCodes[error.kind];
  if (error instanceof Error && error.name === "AbortError") return exitCodes.interrupted;
  return exitCodes.bug;
}
