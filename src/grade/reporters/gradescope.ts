import { eachCheck } from "../result.ts";
import type { Reporter } from "./reporter.ts";

/**
 * Gradescope's results.json (https://gradescope-autograders.readthedocs.io/en/latest/specs/): a test for each check.
 * An error of ours leaves the test without `status: failed` and says so in its output; the run itself exits with 3.
 */
export const gradescope: Reporter = (result, { words }) => {
  const many = result.submissions.length > 1;
  const tests = [...eachCheck(result)].map(({ submission, task, step, check }, index) => ({
    name: [many ? submission.submission : "", task.title, step.title, check.title]
      .filter((part) => part !== "")
      .join(" · "),
    number: `${index + 1}`,
    score: check.points.earned,
    max_score: check.points.possible,
    ...(check.outcome === "error" ? {} : { status: check.outcome === "passed" ? "passed" : "failed" }),
    output: [
      check.outcome === "error" ? words("grade.outcome.error") : "",
      check.message ?? "",
      check.expected === undefined ? "" : `${words("grade.expected")}: ${check.expected}`,
      check.observed === undefined ? "" : `${words("grade.observed")}: ${check.observed}`,
      check.command === undefined ? "" : `$ ${check.command}`,
    ]
      .filter((line) => line !== "")
      .join("\n"),
    output_format: "text",
    visibility: "visible",
  }));
  const remarks = result.submissions.flatMap((s) => s.remarks);
  const seconds = result.submissions.flatMap((s) => s.tasks).reduce((sum, t) => sum + t.seconds, 0);
  return `${JSON.stringify(
    {
      execution_time: Math.round(seconds),
      output: remarks.join("\n"),
      output_format: "text",
      visibility: "visible",
      tests,
      extra_data: { runner: result.runner.version, tasks: taskHashes(result.submissions.flatMap((s) => s.tasks)) },
    },
    null,
    2,
  )}\n`;
};

function taskHashes(tasks: readonly { task: string; taskHash: string }[]): Record<string, string> {
  return Object.fromEntries(tasks.map((t) => [t.task, t.taskHash]));
}
