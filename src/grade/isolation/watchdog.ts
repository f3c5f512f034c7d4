import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** What the processes of one PID namespace use together. */
export interface NamespaceUse {
  processes: number;
  residentBytes: number;
}

/** The PID namespace that the children of process `pid` live in, as /proc names it; undefined when it is gone. */
export function childPidNamespace(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid_for_children`);
  } catch {
    return undefined;
  }
}

/** The PID namespace that process `pid` is in; undefined when it is gone. */
export function pidNamespaceOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}

/** Adds up every process of a PID namespace other than our own. Linux only; 4 KiB pages. */
export function namespaceUse(namespace: string): NamespaceUse {
  const use = { processes: 0, residentBytes: 0 };
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      if (readlinkSync(`/proc/${entry}/ns/pid`) !== namespace) continue;
      use.processes += 1;
      use.residentBytes += Number(readFileSync(`/proc/${entry}/statm`, "utf8").split(" ")[1]) * 4096;
    } catch {
      // It ended while we looked.
    }
  }
  return use;
}
