import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { ScriptRun } from "../result.ts";
import type { CapturedOutput } from "./captured-output.ts";
import type { ScriptJob } from "./isolation.ts";
import { childPidNamespace, namespaceUse, pidNamespaceOf } from "./watchdog.ts";

/** The sandbox itself could not be set up or broke: our failure, never the submission's. */
export class SandboxError extends Error {
  override name = "SandboxError";
}

/** The exit code with which the supervisor says that it, not the script, failed. */
const supervisorFailed = 125;

/**
 * Waits for a sandbox to end, and ends it when it is out of time or memory or the grader is interrupted. `child` is
 * bwrap with its --json-status-fd as fd 3. Killing bwrap ends the PID namespace and so everything in it.
 */
export async function superviseSandbox(
  child: ChildProcess,
  job: ScriptJob,
  output: CapturedOutput,
): Promise<ScriptRun> {
  let timedOut = false;
  let outOfMemory = false;
  let namespace: string | undefined;
  let exitCode: number | undefined;
  const kill = () => {
    try {
      process.kill(-child.pid!, "SIGKILL");
    } catch {
      // It has ended.
    }
  };
  child.stdout?.on("data", (chunk: Buffer) => output.add(chunk));
  child.stderr?.on("data", (chunk: Buffer) => output.add(chunk));
  createInterface(child.stdio[3] as Readable).on("line", (line) => {
    const status = JSON.parse(line) as { "child-pid"?: number; "exit-code"?: number };
    if (status["child-pid"] !== undefined) namespace = pidNamespaceOf(status["child-pid"]);
    exitCode = status["exit-code"] ?? exitCode;
  });
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, job.limits.seconds * 1000);
  const watch = setInterval(() => {
    if (namespace === undefined || namespace === childPidNamespace(process.pid)) return;
    if (namespaceUse(namespace).residentBytes > job.limits.memoryBytes) {
      outOfMemory = true;
      kill();
    }
  }, 250);
  job.signal?.addEventListener("abort", kill);
  if (job.signal?.aborted) kill();
  try {
    const signal = await new Promise<NodeJS.Signals | null>((resolve, reject) => {
      child.once("error", (error) => reject(new SandboxError(`bwrap could not be started: ${error.message}`)));
      child.once("close", (_code, reason) => resolve(reason));
    });
    job.signal?.throwIfAborted();
    const ended = timedOut || outOfMemory || signal !== null;
    if (!ended && (exitCode === undefined || exitCode === supervisorFailed)) {
      throw new SandboxError(`the sandbox broke: ${output.text.trim().slice(-500)}`);
    }
    if (outOfMemory) output.add(Buffer.from("\n[ended: out of memory]\n"));
    return {
      file: job.file,
      exitCode: ended ? null : (exitCode ?? null),
      timedOut,
      output: output.text,
      cut: output.cut,
    };
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    job.signal?.removeEventListener("abort", kill);
  }
}
