import type { CheckResult, GradeResult, Outcome, StepResult, SubmissionResult } from "../result.ts";
import { markdown as escape, markdownBlock } from "./escape.ts";
import type { Reporter, Words } from "./reporter.ts";
import { lastLines } from "./text.ts";

export const badges: Record<Outcome, string> = { passed: "✅", failed: "❌", blocked: "⏸️", error: "⚠️" };

/** For a pull request comment or a job summary: a table, then a section for each step that did not pass. */
export const markdown: Reporter = (result, { words }) =>
  `${[...table(result, words), ...details(result, words)].join("\n")}\n`;

function table(result: GradeResult, words: Words): string[] {
  const lines = [
    `| | ${words("grade.column.submission")} | ${words("grade.column.task")} | ${words("grade.column.steps")} | ${words("grade.column.points")} |`,
    "| --- | --- | --- | --- | ---: |",
  ];
  for (const submission of result.submissions) {
    if (submission.tasks.length === 0)
      lines.push(
        `| ${badges[submission.outcome]} | ${escape(submission.submission)} | ${escape(submission.remarks.join(" "))} | | |`,
      );
    for (const task of submission.tasks) {
      const steps = task.steps.map((s) => badges[s.outcome]).join(" ");
      const points =
        task.outcome === "error" ? words("grade.outcome.error") : `${task.points.earned} / ${task.points.possible}`;
      lines.push(
        `| ${badges[task.outcome]} | ${escape(submission.submission)} | ${escape(task.task)} | ${steps} | ${points} |`,
      );
    }
  }
  return lines;
}

function details(result: GradeResult, words: Words): string[] {
  const lines: string[] = [];
  for (const submission of result.submissions)
    for (const task of submission.tasks)
      for (const step of task.steps)
        if (step.outcome !== "passed") lines.push(...section(submission, task.task, step, words));
  return lines;
}

function section(submission: SubmissionResult, task: string, step: StepResult, words: Words): string[] {
  const lines = ["", `### ${badges[step.outcome]} ${escape(`${submission.submission} · ${task} · ${step.title}`)}`, ""];
  if (step.message !== undefined) lines.push(escape(step.message), "");
  for (const check of step.checks) lines.push(...checkLines(check, words));
  if (step.script && step.script.output.trim() !== "") {
    lines.push(
      "",
      `<details><summary>${escape(words("grade.script-output", { file: step.script.file }))}</summary>`,
      "",
    );
    lines.push(markdownBlock(lastLines(step.script.output, 20).join("\n")), "", "</details>");
  }
  return lines;
}

function checkLines(check: CheckResult, words: Words): string[] {
  const lines = [`- ${badges[check.outcome]} ${escape(check.title)}`];
  if (check.outcome === "passed") return lines;
  if (check.message !== undefined) lines.push(`  ${escape(check.message)}`);
  if (check.expected !== undefined) lines.push(`  - ${words("grade.expected")}: ${escape(check.expected)}`);
  if (check.observed !== undefined) lines.push(`  - ${words("grade.observed")}: ${escape(check.observed)}`);
  if (check.command !== undefined) lines.push(`  - \`${check.command.replaceAll("`", "ˋ").replace(/\s+/g, " ")}\``);
  return lines;
}
