import type { ScriptRun } from "../result.ts";

export type IsolationName = "bwrap" | "process";

/** Bounds on one script. docs/grading.md says which isolation enforces which. */
export interface ScriptLimits {
  /** Wall time. */
  seconds: number;
  /** Output kept; more is counted and cut. */
  outputBytes: number;
  /** Processes and threads at once. */
  processes: number;
  /** Resident memory of all processes together. */
  memoryBytes: number;
  /** Size of one file, and of all files in the scratch copy together. */
  fileBytes: number;
}

export const defaultLimits: ScriptLimits = {
  seconds: 60,
  outputBytes: 1024 * 1024,
  processes: 256,
  memoryBytes: 1024 * 1024 * 1024,
  fileBytes: 64 * 1024 * 1024,
};

/** One script to run: a file of a submission, against one cluster. */
export interface ScriptJob {
  /** A clean copy of the submission (regular files only); the script sees a copy of it and may change that. */
  submission: string;
  /** The script, relative to `submission`. */
  file: string;
  /** The kubeconfig the script gets a copy of. */
  kubeconfig: string;
  /** The kubectl executable the script finds in PATH. */
  kubectl: string;
  limits: ScriptLimits;
  signal?: AbortSignal;
}

/** Runs scripts that nobody trusts. Whatever the script does is in the answer; an exception is our own failure. */
export interface Isolation {
  readonly name: IsolationName;
  run(job: ScriptJob): Promise<ScriptRun>;
  /** Removes what was prepared for all scripts. */
  close?(): void;
}
