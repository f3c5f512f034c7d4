import { readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { SubmissionFolder } from "../../grade/worker/grader.ts";
import { PracticeError } from "../../messages/practice-error.ts";

/**
 * The submissions that `--submission DIR` or `--submissions DIR` (a folder each) names, in name order.
 *
 * @throws PracticeError of kind usage when neither or both are given, a folder is not there, or there is none in it
 */
export function findSubmissions(one: string | undefined, many: string | undefined): SubmissionFolder[] {
  if ((one === undefined) === (many === undefined)) throw new PracticeError("usage", "grade.which-submission");
  const given = resolve((one ?? many)!);
  if (!isFolder(given)) throw new PracticeError("usage", "grade.no-folder", { folder: given });
  if (one !== undefined) return [{ name: basename(given), folder: given }];
  const found = readdirSync(given, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry) => ({ name: entry.name, folder: join(given, entry.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  if (found.length === 0) throw new PracticeError("usage", "grade.no-submissions", { folder: given });
  return found;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
