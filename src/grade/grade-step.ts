import { setTimeout as delay } from "node:timers/promises";
import type { Language, Message } from "../messages/catalogue.ts";
import { message } from "../messages/catalogue.ts";
import { PracticeError } from "../messages/practice-error.ts";
import type { Say } from "../messages/translator.ts";
import type { Step, Task } from "../tasks/task.ts";
import type { Check, StepVerifier } from "../verify/define-step.ts";
import { describeStep } from "../verify/feedback.ts";
import { runStep } from "../verify/run-step.ts";
import type { GradeCluster } from "./cluster-source.ts";
import type { Isolation, ScriptLimits } from "./isolation/isolation.ts";
import { type CheckResult, type Outcome, type ScriptRun, type StepResult, sumPoints } from "./result.ts";
import { findStepScript } from "./submission/step-scripts.ts";

export interface StepJob {
  task: Task;
  step: Step;
  verifier: StepVerifier;
  cluster: GradeCluster;
  isolation: Isolation;
  limits: ScriptLimits;
  /** The submission's clean copy and the files in it. */
  submission: string;
  files: readonly string[];
  /** The step's answer in answers.yaml. */
  answer: string | undefined;
  /** How long controllers may still work after the script, milliseconds. */
  settle: number;
  kubectl: string;
  say: Say;
  language: Language;
  signal: AbortSignal;
}

/**
 * Runs a submission's script for one step and verifies what came of it. A script that fails or runs out of time is
 * still judged by the state it left.
 *
 * @throws whatever means that our side broke: a lost cluster, a sandbox that can't be set up
 */
export async function gradeStep(job: StepJob): Promise<StepResult> {
  const started = performance.now();
  const since = Date.now();
  // The audit log's time stamps are read on the same clock; a request of the step before must not count here.
  await delay(1, undefined, { signal: job.signal });
  const found = findStepScript(job.files, job.task.name, job.step.name, job.step.number);
  const seconds = () => (performance.now() - started) / 1000;
  if (found.file === undefined && job.answer === undefined) {
    return unjudged(job, "failed", seconds(), noScript(job));
  }
  const script = found.file === undefined ? undefined : await runScript(job, found.file);
  const report = await runStep({
    verifier: job.verifier,
    client: job.cluster.client,
    namespace: job.cluster.namespace,
    trace: job.cluster.trace,
    since,
    baseline: job.cluster.baseline,
    timeout: job.settle,
    signal: job.signal,
    answer: async (check) => chosen(check, job),
  });
  const broken = report.checks.find((check) => check.outcome === "error");
  if (broken !== undefined) {
    throw new PracticeError("environment", "grade.check-broke", { check: broken.id, reason: broken.error });
  }
  const checks = describeStep(report, job.step.text, job).map((check): CheckResult => {
    const { id, title, outcome, points, expected, observed, why, command, events } = check;
    return {
      id,
      title,
      outcome,
      points,
      message: check.message ?? check.remark,
      expected,
      observed,
      why,
      command,
      events,
    };
  });
  const remark = stepRemark(script, found.others, found.file);
  return {
    step: job.step.name,
    title: job.step.text.title,
    outcome: report.outcome,
    points: sumPoints(checks.map((check) => check.points)),
    seconds: seconds(),
    ...(script === undefined ? {} : { script }),
    checks,
    ...(remark === undefined ? {} : { message: job.say(remark) }),
  };
}

/** A step's result without a verdict: every check has the step's outcome and earns nothing. */
export function unjudged(
  job: { step: Step; verifier: StepVerifier; say: Say },
  outcome: Exclude<Outcome, "passed">,
  seconds: number,
  why: Message,
): StepResult {
  const text = job.say(why);
  const checks = job.verifier.checks.map((check): CheckResult => {
    const title = job.step.text.checks[check.id]?.title ?? check.id;
    return { id: check.id, title, outcome, points: { earned: 0, possible: check.points ?? 1 }, message: text };
  });
  const points = sumPoints(checks.map((check) => check.points));
  return { step: job.step.name, title: job.step.text.title, outcome, points, seconds, checks, message: text };
}

function runScript(job: StepJob, file: string): Promise<ScriptRun> {
  return job.isolation.run({
    submission: job.submission,
    file,
    kubeconfig: job.cluster.kubeconfig,
    kubectl: job.kubectl,
    limits: job.limits,
    signal: job.signal,
  });
}

/** An answer may be a choice's name or the text it is shown by. */
function chosen(check: Check, job: StepJob): string | undefined {
  const answer = job.answer?.trim();
  if (answer === undefined) return undefined;
  const shown = job.step.text.checks[check.id]?.question?.choices ?? {};
  return Object.keys(shown).find((name) => shown[name] === answer) ?? answer;
}

function noScript({ step, task }: StepJob): Message {
  const names = [`${step.name}.sh`, `${step.number}.sh`, `${task.name}/${step.name}.sh`].join(", ");
  return message("grade.no-script", { names });
}

function stepRemark(script: ScriptRun | undefined, others: string[], file: string | undefined): Message | undefined {
  if (script?.timedOut) return message("grade.script-timed-out", { file: script.file });
  if (script !== undefined && script.exitCode === null) return message("grade.script-killed", { file: script.file });
  if (script !== undefined && script.exitCode !== 0) {
    return message("grade.script-failed", { file: script.file, code: script.exitCode ?? 0 });
  }
  if (others.length > 0) return message("grade.several-scripts", { file, others: others.join(", ") });
  return undefined;
}
