import type { SubmissionResult } from "../result.ts";
import type { GradeOptions } from "../settings.ts";

/** What the grader tells a worker process. */
export type ToWorker = { kind: "start"; options: GradeOptions } | { kind: "grade"; name: string; folder: string };

/** What a worker process tells the grader. */
export type FromWorker =
  | { kind: "ready" }
  | { kind: "step"; result: SubmissionResult }
  | { kind: "done"; result: SubmissionResult }
  | { kind: "unusable"; reason: string };
