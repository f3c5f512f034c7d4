import type { Language } from "../messages/catalogue.ts";
import { message } from "../messages/catalogue.ts";
import { PracticeError } from "../messages/practice-error.ts";
import type { Say } from "../messages/translator.ts";
import type { Task } from "../tasks/task.ts";
import type { StepVerifier } from "../verify/define-step.ts";
import type { ClusterSource, GradeCluster } from "./cluster-source.ts";
import { gradeStep, unjudged } from "./grade-step.ts";
import type { Isolation, ScriptLimits } from "./isolation/isolation.ts";
import { combine, type StepResult, sumPoints, type TaskResult } from "./result.ts";
import { answerFor } from "./submission/answers.ts";

/** A task with its steps' verifiers loaded: the grader's own, never the submission's. */
export interface GradedTask {
  task: Task;
  verifiers: StepVerifier[];
}

export interface GradeSettings {
  source: ClusterSource;
  isolation: Isolation;
  limits: ScriptLimits;
  /** How long controllers may still work after a script, milliseconds. */
  settle: number;
  /** A step that did not pass leaves the later ones blocked, instead of judging them as far as that goes. */
  stopAtFirst: boolean;
  kubectl: string;
  say: Say;
  language: Language;
  signal: AbortSignal;
}

export interface TaskJob extends GradedTask {
  /** The submission's clean copy and the files in it. */
  submission: string;
  files: readonly string[];
  /** The text of answers.yaml. */
  answers: string | undefined;
  settings: GradeSettings;
  /** Told after every step, so that a job that is killed keeps what was earned. */
  onStep?(result: TaskResult): void;
}

/**
 * Grades one task of one submission on a fresh cluster. When our side breaks, it is tried once more from the start;
 * the second time the rest is reported as `error`, and what was judged before stays.
 */
export async function gradeTask(job: TaskJob): Promise<TaskResult> {
  const started = performance.now();
  for (let tries = 1; ; tries += 1) {
    const steps: StepResult[] = [];
    const seen = { kind: "", version: "" };
    const result = (): TaskResult => ({
      task: job.task.name,
      title: job.task.text.title,
      taskHash: job.task.hash,
      cluster: { kind: seen.kind, version: seen.version },
      outcome: combine(steps.map((step) => step.outcome)),
      points: sumPoints(steps.map((step) => step.points)),
      seconds: (performance.now() - started) / 1000,
      tries,
      steps: [...steps],
    });
    try {
      await oneTry(job, seen, (step) => {
        steps.push(step);
        if (steps.length < job.task.steps.length) job.onStep?.(result());
      });
      return result();
    } catch (error) {
      job.settings.signal.throwIfAborted();
      if (tries === 1) continue;
      const why = error instanceof PracticeError ? error.text : message("grade.broke", { reason: reasonOf(error) });
      for (const [index, step] of job.task.steps.entries()) {
        if (index < steps.length) continue;
        steps.push(unjudged({ step, verifier: job.verifiers[index]!, say: job.settings.say }, "error", 0, why));
      }
      return result();
    }
  }
}

async function oneTry(
  job: TaskJob,
  seen: { kind: string; version: string },
  onStep: (step: StepResult) => void,
): Promise<void> {
  const { settings, task } = job;
  let cluster: GradeCluster | undefined;
  let passedSoFar = true;
  try {
    cluster = await settings.source.fresh(task, settings.signal);
    Object.assign(seen, { kind: cluster.kind, version: cluster.version });
    for (const [index, step] of task.steps.entries()) {
      const verifier = job.verifiers[index]!;
      if (settings.stopAtFirst && !passedSoFar) {
        onStep(unjudged({ step, verifier, say: settings.say }, "blocked", 0, message("grade.stopped-at-first")));
        continue;
      }
      const answer = job.answers === undefined ? undefined : answerFor(job.answers, task.name, step.name, step.number);
      const result = await gradeStep({
        ...settings,
        task,
        step,
        verifier,
        cluster,
        submission: job.submission,
        files: job.files,
        answer,
      });
      passedSoFar &&= result.outcome === "passed";
      onStep(result);
    }
  } finally {
    await cluster?.close();
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
