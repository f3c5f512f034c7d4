import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** What became of a program. */
export interface ProgramResult {
  /** The exit code; undefined when it was not found or a signal ended it. */
  code: number | undefined;
  stdout: string;
  stderr: string;
  /** There is no such program on PATH (or it can't be executed). */
  missing: boolean;
  timedOut: boolean;
  aborted: boolean;
}

export interface ProgramOptions {
  /** The whole environment; default this process's. */
  env?: NodeJS.ProcessEnv;
  timeoutMs?: number;
  signal?: AbortSignal;
  input?: string;
  /** Called with each line of stdout and stderr as it comes, in order. */
  onLine?(line: string): void;
}

/**
 * Runs an external program without a shell, and never rejects for what the program did. All of the runner's external
 * programs go through here.
 */
export async function runProgram(file: string, args: string[], options: ProgramOptions): Promise<ProgramResult> {
  // Most machines lack most of the programs we ask for: that is found out without loading anything.
  if (!isOnPath(file, options.env ?? process.env)) {
    return { code: undefined, stdout: "", stderr: "", missing: true, timedOut: false, aborted: false };
  }
  const { execa } = await import("execa");
  const subprocess = execa(file, args, {
    env: options.env ?? process.env,
    extendEnv: false,
    reject: false,
    timeout: options.timeoutMs,
    cancelSignal: options.signal,
    forceKillAfterDelay: 3_000,
    all: true,
    stripFinalNewline: false,
    ...(options.input === undefined ? { stdin: "ignore" as const } : { input: options.input }),
  });
  if (options.onLine !== undefined) {
    for await (const line of subprocess.iterable({ from: "all" })) options.onLine(String(line));
  }
  const result = await subprocess;
  const code = "code" in result ? result.code : undefined;
  return {
    code: result.exitCode,
    stdout: String(result.stdout ?? ""),
    stderr: String(result.stderr ?? ""),
    missing: code === "ENOENT" || code === "EACCES",
    timedOut: result.timedOut,
    aborted: result.isCanceled,
  };
}

function isOnPath(file: string, env: NodeJS.ProcessEnv): boolean {
  if (file.includes("/") || process.platform === "win32") return true;
  return (env["PATH"] ?? "").split(delimiter).some((folder) => folder !== "" && existsSync(join(folder, file)));
}
