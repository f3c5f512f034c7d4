import { spawn } from "node:child_process";
import { mkdir, open, readFile, rename, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { PracticeError } from "../../messages/practice-error.ts";
import { packageRoot } from "../../package-root.ts";
import type { EmbeddedNode } from "./nodes.ts";

const POLL_MS = 10;
const LOG_LIMIT = 5 * 1024 * 1024;

/** The bundle of the embedded cluster's process: `dist/embedded.js` of the package this code is in. */
export function embeddedEntry(): string {
  return join(packageRoot(), "dist", "embedded.js");
}

/** The port if nothing else listens there, else 0 (any free one). */
export async function portIfFree(port: number | undefined): Promise<number> {
  if (port === undefined || port === 0) return 0;
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(0));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(port)));
  });
}

export interface StartOptions {
  entry: string;
  dataDir: string;
  port: number;
  nodes: EmbeddedNode[];
  log: string;
  /** True as soon as the process answers. */
  ready(pid: number): Promise<boolean>;
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** The process's word that somebody took its port between our look and its start (src/embedded/process/README.md). */
const EXIT_PORT_TAKEN = 98;

/**
 * Starts the process so that it outlives this one, its output going to the log file, and waits until it is ready.
 * Throws PracticeError `clusters.embedded.failed` (with the log's last lines) when it ends before that, and
 * `clusters.embedded.slow` when it takes too long.
 */
export async function startProcess(options: StartOptions): Promise<void> {
  const { entry, dataDir, port, nodes, log, ready, timeoutMs = 30_000, signal } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (((await stat(log).catch(() => undefined))?.size ?? 0) > LOG_LIMIT) await rename(log, `${log}.1`);
  const output = await open(log, "a", 0o600);
  const logStart = (await output.stat()).size;
  const child = spawn(
    process.execPath,
    [entry, "--data-dir", dataDir, "--port", String(port), "--nodes", JSON.stringify(nodes)],
    { detached: true, stdio: ["ignore", output.fd, output.fd], cwd: dataDir },
  );
  let ended: string | undefined;
  let portTaken = false;
  child.once("error", (error) => {
    ended = error.message;
  });
  child.once("exit", (code, by) => {
    ended = by ?? `exit code ${code}`;
    portTaken = code === EXIT_PORT_TAKEN;
  });
  child.unref();
  await output.close();
  const deadline = Date.now() + timeoutMs;
  while (!(await ready(child.pid ?? 0))) {
    if (signal?.aborted) {
      child.kill("SIGTERM");
      throw signal.reason;
    }
    if (portTaken && port !== 0) return startProcess({ ...options, port: 0 });
    if (ended !== undefined || Date.now() > deadline) {
      child.kill("SIGKILL");
      const lines = await lastLines(log, logStart);
      const key = ended === undefined ? "clusters.embedded.slow" : "clusters.embedded.failed";
      throw new PracticeError("environment", key, { log, reason: ended }, { details: lines });
    }
    await delay(POLL_MS);
  }
  child.removeAllListeners();
}

async function lastLines(log: string, from: number): Promise<string[]> {
  const text = (await readFile(log).catch(() => Buffer.alloc(0))).subarray(from).toString("utf8");
  return text.trimEnd().split("\n").slice(-8);
}
