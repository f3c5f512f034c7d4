import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { kubeconfigFor } from "../client/index.ts";
import { type CheckContext, defineStep, type StepVerifier } from "./define-step.ts";
import { pass, pending, type Verdict } from "./verdict.ts";

/** How long one run of the script may take, milliseconds. */
const patience = 30_000;

/**
 * The verifier of a step that is verified by a script, as in exercises from elsewhere: exit code 0 passes, anything
 * else is asked again until the deadline, and the last line it prints says what is missing. It runs with bash in its
 * own folder, with kubectl pointed at the task's namespace.
 */
export function scriptVerifier(file: string): StepVerifier {
  return defineStep({ checks: [{ id: "script", run: (context) => runScript(file, context) }] });
}

async function runScript(file: string, { client, namespace, signal }: CheckContext): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), "k8s-practice-verify-"));
  try {
    const kubeconfig = join(folder, "kubeconfig");
    await writeFile(kubeconfig, kubeconfigFor(client.credentials, namespace), { mode: 0o600 });
    const { execa } = await import("execa");
    const { exitCode, all } = await execa("bash", [file], {
      cwd: dirname(file),
      env: { ...process.env, KUBECONFIG: kubeconfig },
      extendEnv: false,
      all: true,
      reject: false,
      stdin: "ignore",
      timeout: patience,
      cancelSignal: signal,
      maxBuffer: 1024 * 1024,
    });
    signal.throwIfAborted();
    const line =
      String(all ?? "")
        .trimEnd()
        .split("\n")
        .at(-1) ?? "";
    if (exitCode === 0) return pass({ line });
    // A script can't tell a lost cluster from a wrong answer: this throws when it is lost.
    await client.call({ path: "/version", signal });
    return pending("script", { line, code: exitCode ?? -1 });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
