import { userInfo } from "node:os";
import manifest from "../../../package.json" with { type: "json" };
import type { Attempt } from "../../attempts/attempt.ts";
import { digestOf } from "../../grade/digest.ts";
import {
  type CheckResult,
  combine,
  type GradeResult,
  type StepResult,
  sumPoints,
  type TaskResult,
} from "../../grade/result.ts";
import { message } from "../../messages/catalogue.ts";
import type { Say } from "../../messages/translator.ts";
import type { Task } from "../../tasks/task.ts";
import type { StepVerifier } from "../../verify/define-step.ts";

export interface OwnTask {
  task: Task;
  verifiers: readonly StepVerifier[];
  attempt: Attempt;
}

/** The learner's own attempts in the form of a grading result, with a digest. */
export function ownResult(own: readonly OwnTask[], say: Say, now: Date): GradeResult {
  const tasks = own.map((one) => ownTask(one, say));
  const started = Math.min(...own.map(({ attempt }) => attempt.startedAt));
  const result: GradeResult = {
    schema: "k8s-practice/grade/v1",
    runner: { version: manifest.version },
    started: new Date(started).toISOString(),
    finished: now.toISOString(),
    submissions: [
      {
        submission: userName(),
        outcome: combine(tasks.map((task) => task.outcome)),
        points: sumPoints(tasks.map((task) => task.points)),
        tasks,
        remarks: [],
      },
    ],
  };
  return { ...result, digest: digestOf(result) };
}

function ownTask({ task, verifiers, attempt }: OwnTask, say: Say): TaskResult {
  const steps = task.steps.map((step, index): StepResult => {
    const progress = attempt.steps[step.name];
    const passed = progress?.passedAt !== undefined;
    // What was verified by another version of the task is not what is shown here.
    const outcome = passed ? "passed" : progress === undefined ? "blocked" : "failed";
    const checks = verifiers[index]!.checks.map((check): CheckResult => {
      const possible = check.points ?? 1;
      return {
        id: check.id,
        title: step.text.checks[check.id]?.title ?? check.id,
        outcome,
        points: { earned: passed ? possible : 0, possible },
      };
    });
    const help = progress === undefined ? undefined : { hints: progress.hintsShown, failures: progress.failures };
    return {
      step: step.name,
      title: step.text.title,
      outcome,
      points: sumPoints(checks.map((check) => check.points)),
      seconds: passed ? (progress.passedAt! - progress.beganAt) / 1000 : 0,
      checks,
      message: help === undefined ? say(message("grade.report.not-begun")) : say(message("grade.report.help", help)),
    };
  });
  return {
    task: task.name,
    title: task.text.title,
    taskHash: attempt.taskHash,
    cluster: { kind: attempt.cluster, version: "" },
    outcome: combine(steps.map((step) => step.outcome)),
    points: sumPoints(steps.map((step) => step.points)),
    seconds: steps.reduce((sum, step) => sum + step.seconds, 0),
    tries: 1,
    steps,
  };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "learner";
  }
}
