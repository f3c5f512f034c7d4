import { digestOf } from "../../grade/digest.ts";
import { message } from "../../messages/catalogue.ts";
import { contentHash } from "../../tasks/content-hash.ts";
import { findTask } from "../../tasks/find-task.ts";
import type { CommandContext } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import { readResult } from "./merge.ts";

/** `./run report --check FILE`: is the report whole, and was it made with the tasks as they are here? */
export async function checkReport(file: string, { globals, out, say }: CommandContext): Promise<ExitCode> {
  const result = await readResult(file);
  const problems: string[] = [];
  if (result.digest === undefined) problems.push(say(message("grade.check.no-digest")));
  else if (result.digest !== digestOf(result)) problems.push(say(message("grade.check.changed")));
  const hashes = new Map(result.submissions.flatMap((s) => s.tasks).map((t) => [t.task, t.taskHash]));
  for (const [task, hash] of hashes) {
    const folder = await findTask(globals.taskFolders, task);
    if (folder === undefined) problems.push(say(message("grade.check.unknown-task", { task })));
    else if ((await contentHash(folder)) !== hash) problems.push(say(message("grade.check.other-version", { task })));
  }
  const intact = problems.length === 0;
  out.result({ intact, problems, digest: result.digest ?? null }, () =>
    intact
      ? `${out.paint("green", "✔")} ${say(message("grade.check.intact"))}`
      : problems.map((p) => `✘ ${p}`).join("\n"),
  );
  return intact ? exitCodes.ok : exitCodes.notYet;
}
