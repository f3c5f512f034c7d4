import { createWriteStream } from "node:fs";
import { appendFile } from "node:fs/promises";
import { githubOutputs, githubSummary } from "../../grade/reporters/github.ts";
import { defaultFiles, type ReporterName, reporters } from "../../grade/reporters/index.ts";
import type { ReportContext } from "../../grade/reporters/reporter.ts";
import type { GradeResult } from "../../grade/result.ts";
import { PracticeError } from "../../messages/practice-error.ts";
import { writeFileAtomic } from "../../storage/write-file.ts";

/** One `--reporter NAME[=FILE]`. */
export interface ReportTarget {
  name: ReporterName;
  /** Absent: stdout. */
  file: string | undefined;
}

/** @throws PracticeError of kind usage for a format there is not */
export function readReportTargets(options: readonly string[]): ReportTarget[] {
  return options.map((option) => {
    const [name = "", ...rest] = option.split("=");
    if (!Object.hasOwn(reporters, name)) {
      const known = Object.keys(reporters).join(", ");
      throw new PracticeError("usage", "grade.unknown-reporter", { name, known });
    }
    const reporter = name as ReporterName;
    const file = rest.join("=");
    return { name: reporter, file: file === "" ? defaultFiles[reporter] : file };
  });
}

/**
 * Writes every report. `github` goes to stdout (annotations) and to the files that a workflow step names in
 * GITHUB_STEP_SUMMARY and GITHUB_OUTPUT.
 */
export async function writeReports(
  targets: readonly ReportTarget[],
  result: GradeResult,
  context: ReportContext,
  stdout: (text: string) => void,
): Promise<void> {
  for (const { name, file } of targets) {
    const text = reporters[name](result, context);
    if (file === undefined) stdout(text);
    else await writeReport(file, text);
    if (name !== "github") continue;
    const { GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: outputs } = context.env;
    if (summary) await appendFile(summary, githubSummary(result, context));
    if (outputs) await appendFile(outputs, githubOutputs(result, context));
  }
}

async function writeReport(file: string, text: string): Promise<void> {
  try {
    if (file === "/dev/stdout" || file === "-") await writeStream(text);
    else await writeFileAtomic(file, text, 0o644);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PracticeError("environment", "grade.report-unwritable", { file, reason }, { cause });
  }
}

function writeStream(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = createWriteStream("/dev/stdout");
    stream.once("error", reject);
    stream.end(text, () => resolve());
  });
}
