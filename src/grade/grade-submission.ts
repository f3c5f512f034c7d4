import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { message } from "../messages/catalogue.ts";
import { PracticeError } from "../messages/practice-error.ts";
import { unjudged } from "./grade-step.ts";
import { type GradedTask, type GradeSettings, gradeTask } from "./grade-task.ts";
import { combine, type SubmissionResult, sumPoints, type TaskResult } from "./result.ts";
import { answerFor } from "./submission/answers.ts";
import { defaultIntakeLimits, type IntakeLimits, takeIn } from "./submission/take-in.ts";

export interface SubmissionJob {
  /** The student: the submission folder's name. */
  name: string;
  folder: string;
  tasks: readonly GradedTask[];
  settings: GradeSettings;
  intake?: IntakeLimits;
  onStep?(result: SubmissionResult): void;
}

/**
 * Grades every task for one submission. What is wrong with the submission is in the result; so is what broke on our
 * side, as outcome `error`.
 *
 * @throws the signal's reason when grading is interrupted
 */
export async function gradeSubmission(job: SubmissionJob): Promise<SubmissionResult> {
  const copy = mkdtempSync(join(tmpdir(), "k8s-practice-submission-"));
  const { say } = job.settings;
  const remarks: string[] = [];
  const tasks: TaskResult[] = [];
  const result = (): SubmissionResult => ({
    submission: job.name,
    outcome: tasks.length === 0 ? "error" : combine(tasks.map((task) => task.outcome)),
    points: sumPoints(tasks.map((task) => task.points)),
    tasks: [...tasks],
    remarks: [...remarks],
  });
  try {
    const intake = takeIn(job.folder, copy, job.intake ?? defaultIntakeLimits);
    remarks.push(...intake.remarks.map(say));
    let refused = intake.refused;
    const answers = intake.files.includes("answers.yaml")
      ? readFileSync(join(copy, "answers.yaml"), "utf8")
      : undefined;
    if (answers !== undefined) refused ??= brokenAnswers(answers);
    for (const graded of job.tasks) {
      if (refused !== undefined) {
        tasks.push(refusedTask(graded, job.settings, refused));
        continue;
      }
      const done = [...tasks];
      const onStep = (partial: TaskResult) => job.onStep?.({ ...result(), tasks: [...done, partial] });
      tasks.push(
        await gradeTask({ ...graded, submission: copy, files: intake.files, answers, settings: job.settings, onStep }),
      );
      job.onStep?.(result());
    }
    if (refused !== undefined) remarks.push(say(refused));
    return result();
  } catch (error) {
    job.settings.signal.throwIfAborted();
    const why = error instanceof PracticeError ? error.text : message("grade.broke", { reason: String(error) });
    remarks.push(say(why));
    return { ...result(), outcome: "error" };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** A submission over a limit, or with answers nobody can read, is the student's to mend: nothing passes. */
function refusedTask(
  { task, verifiers }: GradedTask,
  { say }: GradeSettings,
  why: Parameters<GradeSettings["say"]>[0],
): TaskResult {
  const steps = task.steps.map((step, index) => unjudged({ step, verifier: verifiers[index]!, say }, "failed", 0, why));
  return {
    task: task.name,
    title: task.text.title,
    taskHash: task.hash,
    cluster: { kind: "none", version: "" },
    outcome: "failed",
    points: sumPoints(steps.map((step) => step.points)),
    seconds: 0,
    tries: 1,
    steps,
  };
}

function brokenAnswers(text: string): PracticeError["text"] | undefined {
  try {
    answerFor(text, "", "", 0);
    return undefined;
  } catch (error) {
    if (error instanceof PracticeError) return error.text;
    throw error;
  }
}
