import { readFile } from "node:fs/promises";
import { mergeResults } from "../../grade/merge.ts";
import type { GradeResult } from "../../grade/result.ts";
import { message } from "../../messages/catalogue.ts";
import { PracticeError } from "../../messages/practice-error.ts";
import type { CommandContext } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import { readReportTargets, writeReports } from "../grade/report-targets.ts";
import { exitCodeFor } from "../grade/run-grade.ts";

/**
 * `./run report merge FILE…`: joins shards' results and reports them as one. 3 when a shard is missing, else as grade.
 */
export async function runMerge(
  files: readonly string[],
  reporter: string[] | undefined,
  context: CommandContext,
): Promise<ExitCode> {
  const { out, say, env, language } = context;
  const targets = readReportTargets(reporter ?? (out.format === "json" ? [] : ["text"]));
  const read = await Promise.all(files.map(async (file) => ({ file, result: await readResult(file) })));
  const { result, missing } = mergeResults(read);
  const words = (key: Parameters<typeof message>[0], values?: Parameters<typeof message>[1]) =>
    say(message(key, values));
  await writeReports(targets, result, { words, language, env }, (text) => {
    if (out.format === "json") out.note(text);
    else out.result(undefined, () => text);
  });
  if (out.format === "json") out.result(result, () => "");
  if (missing.length === 0) return exitCodeFor(result);
  out.note(say(message("grade.merge-missing", { count: missing.length, shards: missing.join(", ") })));
  return exitCodes.environment;
}

/** @throws PracticeError of kind usage when the file is not a result of ours */
export async function readResult(file: string): Promise<GradeResult> {
  let result: GradeResult;
  try {
    result = JSON.parse(await readFile(file, "utf8")) as GradeResult;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PracticeError("usage", "grade.not-a-result", { file, reason }, { cause });
  }
  if (result?.schema !== "k8s-practice/grade/v1" || !Array.isArray(result.submissions)) {
    throw new PracticeError("usage", "grade.not-a-result", { file, reason: String(result?.schema) });
  }
  return result;
}
