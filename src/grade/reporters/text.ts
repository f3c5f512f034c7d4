import type { CheckResult, GradeResult, Outcome, SubmissionResult } from "../result.ts";
import type { Reporter, Words } from "./reporter.ts";

const marks: Record<Outcome, string> = { passed: "✔", failed: "✘", blocked: "·", error: "!" };

/** For a terminal or a CI log: a line for each check, what was expected against what was found, and the totals. */
export const text: Reporter = (result, { words }) => {
  const lines = result.submissions.flatMap((submission) => submissionLines(submission, words));
  return `${[...lines, ...(result.submissions.length > 1 ? totals(result, words) : [])].join("\n")}\n`;
};

function submissionLines(submission: SubmissionResult, words: Words): string[] {
  const lines = [`${marks[submission.outcome]} ${printable(submission.submission)}  ${points(submission, words)}`];
  for (const remark of submission.remarks) lines.push(`  ${printable(remark)}`);
  for (const task of submission.tasks) {
    lines.push(`  ${task.task}  ${points(task, words)}  (${task.seconds.toFixed(1)} s)`);
    for (const step of task.steps) {
      lines.push(`    ${marks[step.outcome]} ${step.step}: ${step.title}  ${points(step, words)}`);
      if (step.message !== undefined) lines.push(`        ${printable(step.message)}`);
      for (const check of step.checks) lines.push(...checkLines(check, words, step.message));
      const script = step.script;
      if (script && step.outcome !== "passed" && script.output.trim() !== "") {
        lines.push(`        ${words("grade.script-output", { file: printable(script.file) })}`);
        for (const line of lastLines(script.output, 10)) lines.push(`          │ ${printable(line)}`);
      }
    }
  }
  return lines;
}

/** @param said what the step has already said and its checks need not repeat */
function checkLines(check: CheckResult, words: Words, said: string | undefined): string[] {
  const lines = [`      ${marks[check.outcome]} ${check.title}`];
  if (check.outcome === "passed") {
    if (check.message !== undefined) lines.push(`          ${check.message}`);
    return lines;
  }
  for (const text of [
    check.message === said ? undefined : check.message,
    check.expected === undefined ? undefined : `${words("grade.expected")}: ${check.expected}`,
    check.observed === undefined ? undefined : `${words("grade.observed")}: ${check.observed}`,
    check.why,
    check.command === undefined ? undefined : `$ ${check.command}`,
  ])
    if (text !== undefined) lines.push(`          ${printable(text)}`);
  return lines;
}

function points(part: { outcome: Outcome; points: { earned: number; possible: number } }, words: Words): string {
  if (part.outcome === "error") return words("grade.outcome.error");
  return words("grade.points", { earned: part.points.earned, possible: part.points.possible });
}

function totals({ submissions }: GradeResult, words: Words): string[] {
  const count = (outcome: Outcome) => submissions.filter((s) => s.outcome === outcome).length;
  return [
    "",
    words("grade.totals", {
      submissions: submissions.length,
      passed: count("passed"),
      failed: count("failed") + count("blocked"),
      errors: count("error"),
    }),
  ];
}

/** The last lines of a script's output, without what a terminal would act on. */
export function lastLines(output: string, count: number): string[] {
  return output.replace(/\s+$/, "").split(/\r?\n/).slice(-count);
}

/** Text from a submission can't move the cursor, change colours or forge lines of the report. */
export function printable(text: string): string {
  return text
    .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, "")
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}
