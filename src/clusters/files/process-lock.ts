import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rename, rm, unlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { PracticeError } from "../../messages/practice-error.ts";

const POLL_MS = 40;

export interface LockOptions {
  /** How long to wait for another holder, in milliseconds. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Called once when another process holds the lock. */
  onWait?(pid: number): void;
}

/**
 * Runs `work` while this process alone holds the lock file. The file holds the owner's process id; a lock whose owner is
 * gone is taken over. Throws PracticeError `clusters.locked` when the wait takes longer than `timeoutMs`.
 */
export async function withLock<T>(path: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const { timeoutMs = 300_000, signal, onWait } = options;
  await mkdir(dirname(path), { recursive: true });
  const deadline = Date.now() + timeoutMs;
  const mine = `${process.pid} ${randomBytes(6).toString("hex")}\n`;
  let told = false;
  while (!(await take(path, mine))) {
    const content = await readFile(path, "utf8").catch(() => undefined);
    if (content === undefined) continue;
    const pid = Number.parseInt(content, 10);
    if (!isAlive(pid)) {
      await breakLock(path, content);
      continue;
    }
    if (!told) onWait?.(pid);
    told = true;
    signal?.throwIfAborted();
    if (Date.now() > deadline) throw new PracticeError("environment", "clusters.locked", { pid, path });
    await delay(POLL_MS, undefined, { signal });
  }
  try {
    return await work();
  } finally {
    if ((await readFile(path, "utf8").catch(() => "")) === mine) await unlink(path).catch(() => {});
  }
}

/** `link` makes the lock appear with its content in one step: nobody ever reads an empty one. */
async function take(path: string, content: string): Promise<boolean> {
  const own = `${path}.${process.pid}-${randomBytes(4).toString("hex")}`;
  await writeFile(own, content, { mode: 0o600 });
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

/** Removes a lock seen to be stale; if a new one took its place meanwhile, that one is put back. */
async function breakLock(path: string, seen: string): Promise<void> {
  const aside = `${path}.stale-${process.pid}-${randomBytes(4).toString("hex")}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, "utf8").catch(() => seen)) !== seen) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}

/** Whether a process with this id exists (it may be another program that was given the same id). */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
