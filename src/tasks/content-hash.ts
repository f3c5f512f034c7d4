import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";

/** sha256 (hex) over the paths and contents of a folder's files, in name order. Links are not followed. */
export async function contentHash(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, name: relative(folder, path).split(sep).join("/") }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const hash = createHash("sha256");
  for (const { path, name } of files) {
    const content = await readFile(path);
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}
