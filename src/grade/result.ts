/**
 * What grading found, in words and numbers: the one model that every reporter is a pure function of. Its JSON form is
 * published as schema/grade-result.schema.json. Texts are already in the language of the run; everything that comes
 * from a submission (names, script output) is raw here and escaped by each reporter for its own format.
 */
export interface GradeResult {
  schema: "k8s-practice/grade/v1";
  runner: { version: string };
  /** RFC 3339. */
  started: string;
  finished: string;
  /** Which part of the submissions this run graded: `index` from 1 to `count`. */
  shard?: { index: number; count: number };
  submissions: SubmissionResult[];
  /** A learner's own report: see digest.ts. */
  digest?: string;
}

/**
 * passed: everything it asks for holds. failed: the submission's fault. blocked: not judged, because an earlier check
 * it needs did not pass. error: our fault (a dead cluster, a time-out of ours, a broken task): never 0 points.
 */
export type Outcome = "passed" | "failed" | "blocked" | "error";

export interface Points {
  earned: number;
  possible: number;
}

export interface SubmissionResult {
  /** The student: the submission folder's name. */
  submission: string;
  outcome: Outcome;
  points: Points;
  tasks: TaskResult[];
  /** Why nothing could be graded, or what was odd about the folder (links out of it left out, files over the limit). */
  remarks: string[];
}

export interface TaskResult {
  task: string;
  title: string;
  /** sha256 over the task folder's content: what this result was judged by. */
  taskHash: string;
  cluster: { kind: string; version: string };
  outcome: Outcome;
  points: Points;
  /** Wall time. */
  seconds: number;
  /** 2 when the first try ended in an error of ours. */
  tries: number;
  steps: StepResult[];
}

export interface StepResult {
  /** The step's folder name, for example 01-replicas-no-op. */
  step: string;
  title: string;
  outcome: Outcome;
  points: Points;
  seconds: number;
  script?: ScriptRun;
  checks: CheckResult[];
  /** Why the step could not be judged (outcome error), or why there was nothing to judge (no script). */
  message?: string;
}

export interface ScriptRun {
  /** Path inside the submission. */
  file: string;
  /** null when a signal ended it. */
  exitCode: number | null;
  timedOut: boolean;
  /** stdout and stderr as they came, at most 1 MiB. */
  output: string;
  /** Bytes that were cut away from the output. */
  cut: number;
}

export interface CheckResult {
  id: string;
  title: string;
  outcome: Outcome;
  points: Points;
  /** What is wrong, in the learner's words. */
  message?: string;
  expected?: string;
  observed?: string;
  why?: string;
  /** The kubectl command that shows it. */
  command?: string;
  /** The object's latest events, a line each. */
  events?: string[];
}

/** How one outcome adds up from its parts: an error anywhere is an error, then failed, then blocked. */
export function combine(outcomes: readonly Outcome[]): Outcome {
  for (const worst of ["error", "failed", "blocked"] as const) if (outcomes.includes(worst)) return worst;
  return "passed";
}

export function sumPoints(points: readonly Points[]): Points {
  return points.reduce(
    (sum, p) => ({ earned: round(sum.earned + p.earned), possible: round(sum.possible + p.possible) }),
    { earned: 0, possible: 0 },
  );
}

/** Points are kept to a millionth, so that thirds add up to a whole in every format. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** Every check of the run with where it stands, in order. */
export function* eachCheck(
  result: GradeResult,
): Generator<{ submission: SubmissionResult; task: TaskResult; step: StepResult; check: CheckResult }> {
  for (const submission of result.submissions)
    for (const task of submission.tasks)
      for (const step of task.steps) for (const check of step.checks) yield { submission, task, step, check };
}
