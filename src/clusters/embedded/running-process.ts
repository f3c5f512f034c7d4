import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { isAlive } from "../files/process-lock.ts";

/**
 * True when the process runs, and is an embedded cluster on this data folder: an id read from a file may have been given
 * to another program since (a reboot, a long time).
 */
export async function isEmbeddedProcess(pid: number, dataDir: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const command = await commandLine(pid);
  return command.includes("embedded") && command.includes(dataDir);
}

async function commandLine(pid: number): Promise<string> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ");
  } catch {
    if (process.platform === "linux") return "";
    const { runProgram } = await import("../program/programs.ts");
    const result = await runProgram("ps", ["-ww", "-o", "command=", "-p", String(pid)], {});
    return result.code === 0 ? result.stdout : "";
  }
}

/** Asks the process to end, then ends it. Resolves when it is gone. */
export async function endProcess(pid: number, dataDir: string, graceMs = 5_000): Promise<void> {
  for (const [signal, waitMs] of [
    ["SIGTERM", graceMs],
    ["SIGKILL", 5_000],
  ] as const) {
    if (!(await isEmbeddedProcess(pid, dataDir))) return;
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const deadline = Date.now() + waitMs;
    while (Date.now() < deadline) {
      if (!(await isEmbeddedProcess(pid, dataDir))) return;
      await delay(20);
    }
  }
}
