import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** Names of what lies in a folder and in the folders right inside it, relative to it; links included, not followed. */
export function listFiles(folder: string): string[] {
  const files: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) files.push(entry.name);
    else for (const name of readdirSync(path)) files.push(relative(folder, join(path, name)).split(sep).join("/"));
  }
  return files;
}
