import { eachCheck, sumPoints } from "../result.ts";
import { githubData, githubProperty } from "./escape.ts";
import { markdown } from "./markdown.ts";
import type { Reporter } from "./reporter.ts";

/**
 * GitHub workflow commands for stdout: an annotation on the step's script for each check that did not pass
 * (https://docs.github.com/actions/reference/workflow-commands-for-github-actions).
 */
export const github: Reporter = (result) => {
  const lines: string[] = [];
  for (const { submission, task, step, check } of eachCheck(result)) {
    if (check.outcome === "passed" || check.outcome === "blocked") continue;
    const properties = [
      ...(step.script === undefined ? [] : [`file=${githubProperty(step.script.file)}`, "line=1"]),
      `title=${githubProperty(`${task.task} · ${step.title} · ${check.title}`)}`,
    ];
    const text = [
      result.submissions.length > 1 ? `${submission.submission}:` : "",
      check.message ?? check.title,
      check.observed ?? "",
      check.command === undefined ? "" : `$ ${check.command}`,
    ].filter((part) => part !== "");
    lines.push(
      `::${check.outcome === "error" ? "warning" : "error"} ${properties.join(",")}::${githubData(text.join("\n"))}`,
    );
  }
  for (const submission of result.submissions)
    for (const remark of submission.remarks)
      lines.push(`::warning::${githubData(`${submission.submission}: ${remark}`)}`);
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
};

/** What goes to the file $GITHUB_STEP_SUMMARY. GitHub keeps at most 1 MiB of it. */
export const githubSummary: Reporter = (result, context) => {
  const full = markdown(result, context);
  const limit = 1_000_000;
  if (Buffer.byteLength(full) <= limit) return full;
  return `${Buffer.from(full)
    .subarray(0, limit - 100)
    .toString("utf8")
    .replace(/\ufffd+$/, "")}\n\n…\n`;
};

/** What goes to the file $GITHUB_OUTPUT: numbers and one word, nothing that a submission can choose. */
export const githubOutputs: Reporter = (result) => {
  const points = sumPoints(result.submissions.map((s) => s.points));
  const count = (outcome: string) => result.submissions.filter((s) => s.outcome === outcome).length;
  const outcome = count("error") > 0 ? "error" : count("passed") === result.submissions.length ? "passed" : "failed";
  return `points=${points.earned}\nmax-points=${points.possible}\noutcome=${outcome}\n`;
};
