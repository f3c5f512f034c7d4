import { mkdir, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { PracticeError } from "../../messages/practice-error.ts";
import { writeAtomically } from "../files/atomic-write.ts";
import { isAlive } from "../files/process-lock.ts";
import { KubeConfigDocument } from "./document.ts";

const LOCK_WAIT_MS = 5_000;
const POLL_MS = 25;

/**
 * Reads a kubeconfig, lets `change` edit it, and writes it back if `change` says that something changed: under the lock
 * kubectl takes, in one step, with the file's mode kept and symbolic links followed. A missing file is created. A tool
 * that takes no lock and writes in the same moment is noticed, and the edit done again on what it wrote.
 * Throws PracticeError `clusters.kubeconfig.broken`, `.readonly` or `.locked`.
 */
export async function editKubeconfig(
  file: string,
  change: (config: KubeConfigDocument) => boolean | Promise<boolean>,
): Promise<boolean> {
  // Most often there is nothing to do, and then no lock to take.
  if (!(await change(KubeConfigDocument.parse(await read(file), file)))) return false;
  try {
    await mkdir(dirname(file), { recursive: true });
  } catch (error) {
    throw readOnly(file, error);
  }
  return withKubectlLock(file, async () => {
    for (;;) {
      const before = await read(file);
      const config = KubeConfigDocument.parse(before, file);
      if (!(await change(config))) return false;
      await assertWritable(file);
      if ((await read(file)) !== before) continue;
      await replace(file, config.toString());
      return true;
    }
  });
}

/** The file's document; an empty one where there is no file. */
export async function readKubeconfig(file: string): Promise<KubeConfigDocument> {
  return KubeConfigDocument.parse(await read(file), file);
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT") return "";
    throw new PracticeError(
      "environment",
      "clusters.kubeconfig.unreadable",
      { file, reason: code ?? String(error) },
      { cause: error },
    );
  }
}

/** A file without any write permission is meant to stay as it is, also where we could replace it. */
async function assertWritable(file: string): Promise<void> {
  const info = await stat(file).catch(() => undefined);
  if (info !== undefined && (info.mode & 0o222) === 0) throw readOnly(file);
}

async function replace(file: string, text: string): Promise<void> {
  try {
    await writeAtomically(file, text);
  } catch (error) {
    // A file that is mounted by itself, or in a folder we can't write to, can't be replaced but may be written.
    if (!/^(EBUSY|EXDEV|EACCES|EPERM)$/.test((error as NodeJS.ErrnoException).code ?? "")) throw readOnly(file, error);
    await writeFile(file, text).catch((inner) => {
      throw readOnly(file, inner);
    });
  }
}

function readOnly(file: string, cause?: unknown): PracticeError {
  const reason = (cause as NodeJS.ErrnoException | undefined)?.code ?? "EACCES";
  return new PracticeError("environment", "clusters.kubeconfig.readonly", { file, reason }, { cause });
}

/**
 * kubectl's lock: `FILE.lock`, made exclusively and removed after the write. Ours holds our process id, so that one
 * which a killed command of ours left behind is recognised.
 */
async function withKubectlLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`;
  const deadline = Date.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      const handle = await open(lock, "wx", 0o600);
      await handle.writeFile(`k8s-practice ${process.pid}\n`);
      await handle.close();
      break;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== "EEXIST") throw readOnly(file, error);
      const owner = /^k8s-practice (\d+)\n/.exec(await readFile(lock, "utf8").catch(() => ""))?.[1];
      if (owner !== undefined && !isAlive(Number(owner))) await rm(lock, { force: true });
      else if (Date.now() > deadline) {
        throw new PracticeError("environment", "clusters.kubeconfig.locked", { file, lock });
      } else await delay(POLL_MS);
    }
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}
