import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ScriptRun } from "../result.ts";
import { CapturedOutput } from "./captured-output.ts";
import type { Isolation, ScriptJob } from "./isolation.ts";

/**
 * A process group and nothing more: time, output and file size are limited and what stays in the group ends with the
 * script, but the script runs as the grader's own user and sees what that user sees. It must be asked for by name.
 */
export class ProcessGroupIsolation implements Isolation {
  readonly name = "process";

  async run(job: ScriptJob): Promise<ScriptRun> {
    const folder = mkdtempSync(join(tmpdir(), "k8s-practice-script-"));
    try {
      const work = join(folder, "work");
      const home = join(folder, "home");
      const bin = join(folder, "bin");
      for (const path of [work, join(home, ".kube"), bin]) mkdirSync(path, { recursive: true });
      cpSync(job.submission, work, { recursive: true });
      copyFileSync(job.kubeconfig, join(home, ".kube/config"));
      symlinkSync(job.kubectl, join(bin, "kubectl"));
      const limits = `ulimit -c 0; ulimit -f ${Math.ceil(job.limits.fileBytes / 1024)}`;
      const child = spawn("/bin/bash", ["-c", `${limits}; exec /bin/bash --noprofile --norc -- "$0"`, job.file], {
        cwd: work,
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
        env: {
          PATH: `${bin}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
          HOME: home,
          KUBECONFIG: join(home, ".kube/config"),
          LANG: "C.UTF-8",
        },
      });
      return await endOf(child, job);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

async function endOf(child: ChildProcess, job: ScriptJob): Promise<ScriptRun> {
  const output = new CapturedOutput(job.limits.outputBytes);
  let timedOut = false;
  const kill = () => {
    try {
      process.kill(-child.pid!, "SIGKILL");
    } catch {
      // The group has ended.
    }
  };
  child.stdout?.on("data", (chunk: Buffer) => output.add(chunk));
  child.stderr?.on("data", (chunk: Buffer) => output.add(chunk));
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, job.limits.seconds * 1000);
  job.signal?.addEventListener("abort", kill);
  const closed = new Promise((resolve) => child.once("close", resolve));
  if (job.signal?.aborted) kill();
  try {
    // "exit", not "close": a background process that keeps the output open must not keep the grader.
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (exitCode) => resolve(exitCode));
    });
    kill();
    await drained(closed);
    job.signal?.throwIfAborted();
    return { file: job.file, exitCode: timedOut ? null : code, timedOut, output: output.text, cut: output.cut };
  } finally {
    clearTimeout(timer);
    job.signal?.removeEventListener("abort", kill);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

/** What was printed before the end has arrived, or half a second has passed (a process that left the group holds on). */
async function drained(closed: Promise<unknown>): Promise<void> {
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 500).unref())]);
}
