import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Replaces a file's content in one step: readers see the old text or the new, never half of it, and neither a crash nor
 * a full disk loses the old one. A symbolic link is followed (the file it points to is replaced) and an existing file
 * keeps its mode; a new one gets `mode`. Rejects with the file system's error.
 */
export async function writeAtomically(path: string, content: string, mode = 0o600): Promise<void> {
  const target = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return path;
    throw error;
  });
  const existing = await stat(target).catch(() => undefined);
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}-${randomBytes(4).toString("hex")}`);
  const file = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    try {
      await file.writeFile(content);
      await file.chmod(existing === undefined ? mode : existing.mode & 0o7777);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
