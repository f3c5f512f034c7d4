import type { SubmissionResult } from "../result.ts";
import { csv as field } from "./escape.ts";
import type { Reporter } from "./reporter.ts";

/** A row for each student: totals, then a pair of columns for every step of every task (points earned and outcome). */
export const csv: Reporter = (result) => {
  const steps = new Map<string, { task: string; step: string }>();
  for (const submission of result.submissions)
    for (const task of submission.tasks)
      for (const step of task.steps) steps.set(`${task.task}/${step.step}`, { task: task.task, step: step.step });
  const header = [
    "submission",
    "outcome",
    "points",
    "max_points",
    ...[...steps.keys()].flatMap((key) => [key, `${key} outcome`]),
    "remarks",
  ];
  const rows = result.submissions.map((submission) => [
    submission.submission,
    submission.outcome,
    // An error is ours: it must never be read as 0 points.
    submission.outcome === "error" ? "" : submission.points.earned,
    submission.points.possible,
    ...[...steps.values()].flatMap(({ task, step }) => stepCells(submission, task, step)),
    submission.remarks.join(" "),
  ]);
  return `${[header, ...rows].map((row) => row.map(field).join(",")).join("\r\n")}\r\n`;
};

function stepCells(submission: SubmissionResult, task: string, step: string): (string | number)[] {
  const found = submission.tasks.find((t) => t.task === task)?.steps.find((s) => s.step === step);
  if (!found) return ["", ""];
  return [found.outcome === "error" ? "" : found.points.earned, found.outcome];
}
