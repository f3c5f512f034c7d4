import { readFile, rename } from "node:fs/promises";
import { PracticeError } from "../messages/practice-error.ts";
import { writeFileAtomic } from "../storage/write-file.ts";

/** The newest layout this runner writes and reads. A change of layout raises it and converts older ones here. */
export const schemaVersion = 1;

export interface ReadResult<T> {
  value?: T;
  /** Where a file that could not be understood was moved to. */
  damaged?: string;
}

/**
 * Reads a state file. A damaged one is set aside under another name, so that nothing is overwritten and nothing stands
 * in the way.
 *
 * @throws PracticeError of kind environment when a newer runner wrote it, or it can't be read
 */
export async function readState<T>(path: string, isWhole: (value: unknown) => value is T): Promise<ReadResult<T>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw fileError(cause, path);
  }
  const value = parse(text);
  const version = (value as { schemaVersion?: unknown } | undefined)?.schemaVersion;
  if (typeof version === "number" && version > schemaVersion) {
    throw new PracticeError("environment", "attempts.newer", { path, version, known: schemaVersion });
  }
  if (version === schemaVersion && isWhole(value)) return { value };
  const damaged = `${path}.damaged-${new Date().toISOString().replace(/[-:]/g, "").replace(/\.\d+/, "")}`;
  try {
    await rename(path, damaged);
  } catch (cause) {
    throw fileError(cause, path);
  }
  return { damaged };
}

/** @throws PracticeError of kind environment when the folder is not writable or the disk is full; the old file stays */
export async function writeState(path: string, value: object): Promise<void> {
  try {
    await writeFileAtomic(path, `${JSON.stringify({ schemaVersion, ...value }, null, 2)}\n`);
  } catch (cause) {
    throw fileError(cause, path);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An error of the file system in the learner's words. */
export function fileError(cause: unknown, path: string): PracticeError {
  const { code, message: reason } = cause as NodeJS.ErrnoException;
  const full = code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG";
  return new PracticeError(
    "environment",
    full ? "attempts.disk-full" : "attempts.unusable",
    { path, reason },
    { cause },
  );
}
