import type { SubmissionResult } from "../result.ts";

export interface SubmissionFolder {
  name: string;
  folder: string;
}

/** Grades submissions, one at a time: in this process, or in a process of its own. */
export interface Grader {
  grade(submission: SubmissionFolder, onStep: (result: SubmissionResult) => void): Promise<SubmissionResult>;
  close(): Promise<void>;
}
