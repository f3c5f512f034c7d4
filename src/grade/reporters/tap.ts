import { stringify } from "yaml";
import { eachCheck } from "../result.ts";
import { tap as escape } from "./escape.ts";
import type { Reporter } from "./reporter.ts";

/** TAP version 14 (https://testanything.org/tap-version-14-specification.html): a test point for each check. */
export const tap: Reporter = (result) => {
  const points: string[] = [];
  for (const { submission, task, step, check } of eachCheck(result)) {
    const ok = check.outcome === "passed" ? "ok" : "not ok";
    const name = escape(`${submission.submission} / ${task.task} / ${step.step} / ${check.id}: ${check.title}`);
    const skip = check.outcome === "blocked" ? ` # SKIP ${escape(check.message ?? "blocked")}` : "";
    // A blocked check is not judged: TAP has only "ok … # SKIP" for that.
    points.push(`${skip === "" ? ok : "ok"} ${points.length + 1} - ${name}${skip}`);
    if (check.outcome === "failed" || check.outcome === "error") {
      const { message, expected, observed, command } = check;
      const diagnostic = stringify({ outcome: check.outcome, message, expected, observed, command });
      points[points.length - 1] += `\n  ---\n${diagnostic.replace(/^(?=.)/gm, "  ")}  ...`;
    }
  }
  for (const submission of result.submissions) {
    const unjudged = submission.tasks.flatMap((t) =>
      t.steps.filter((s) => s.checks.length === 0).map((s) => [t, s] as const),
    );
    for (const [task, step] of unjudged)
      points.push(
        `${step.outcome === "passed" ? "ok" : "not ok"} ${points.length + 1} - ${escape(`${submission.submission} / ${task.task} / ${step.step}: ${step.message ?? step.outcome}`)}`,
      );
    if (submission.tasks.length === 0)
      points.push(
        `not ok ${points.length + 1} - ${escape(`${submission.submission}: ${submission.remarks.join(" ")}`)}`,
      );
  }
  return ["TAP version 14", `1..${points.length}`, ...points, ""].join("\n");
};
