import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { PracticeError } from "../messages/practice-error.ts";
import { fileError } from "./state-file.ts";

interface Holder {
  pid: number;
  /** When the process began, so that a number that was given to another process is not taken for it. */
  began: string;
  command: string;
}

/**
 * Runs `work` while no other command changes this home folder. A lock whose process is gone is taken over; a living
 * one is waited for, `patience` milliseconds at most.
 *
 * @throws PracticeError of kind environment that names the other command
 */
export async function withCommandLock<T>(
  home: string,
  command: string,
  work: () => Promise<T>,
  options: { patience?: number; signal?: AbortSignal; onWait?(holder: { pid: number; command: string }): void } = {},
): Promise<T> {
  const path = join(home, "command.lock");
  const mine: Holder = { pid: process.pid, began: (await startOf(process.pid)) ?? "", command };
  const own = `${path}.${process.pid}`;
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await writeFile(own, JSON.stringify(mine), { mode: 0o600 });
  } catch (error) {
    await rm(own, { force: true }).catch(() => undefined);
    throw fileError(error, path);
  }
  const deadline = Date.now() + (options.patience ?? 5000);
  let told = false;
  try {
    while (!(await take(own, path))) {
      const holder = await readHolder(path);
      if (holder === "none") continue;
      if (holder === undefined || !(await isRunning(holder))) {
        await setAside(path);
        continue;
      }
      if (!told) options.onWait?.(holder);
      told = true;
      if (Date.now() > deadline) {
        throw new PracticeError("environment", "attempts.busy", { pid: holder.pid, command: holder.command, path });
      }
      await delay(50, undefined, { signal: options.signal });
    }
    try {
      return await work();
    } finally {
      const holder = await readHolder(path);
      if (typeof holder === "object" && holder.pid === process.pid) await rm(path, { force: true });
    }
  } finally {
    await rm(own, { force: true }).catch(() => undefined);
  }
}

/** A hard link appears whole or not at all: nobody reads half a lock. */
async function take(own: string, path: string): Promise<boolean> {
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw fileError(error, path);
  }
}

/** Renaming takes away exactly one file: of two commands that find a stale lock, one gets it. */
async function setAside(path: string): Promise<void> {
  const aside = `${path}.stale.${process.pid}`;
  await rename(path, aside).catch(() => undefined);
  await rm(aside, { force: true });
}

async function readHolder(path: string): Promise<Holder | undefined | "none"> {
  try {
    const holder = JSON.parse(await readFile(path, "utf8")) as Holder;
    return Number.isInteger(holder?.pid) ? holder : undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "none" : undefined;
  }
}

async function isRunning({ pid, began }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const start = await startOf(pid);
  return start === undefined || began === "" || start === began;
}

/** When a process began, in clock ticks since boot (Linux, proc(5)); undefined where that can't be known. */
async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  // The second field is the program's name in parentheses and may hold anything.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}
