import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PracticeError } from "../../messages/practice-error.ts";
import { BwrapIsolation } from "./bwrap.ts";
import { defaultLimits, type Isolation, type IsolationName } from "./isolation.ts";
import { ProcessGroupIsolation } from "./process-group.ts";

/**
 * The isolation to grade with: bwrap where a harmless probe shows that it works; a weaker one only when it is asked
 * for by name. Throws PracticeError (environment) when bwrap is wanted and does not work, with the reason.
 */
export async function chooseIsolation(wanted: IsolationName | undefined, kubectl: string): Promise<Isolation> {
  if (wanted === "process") return new ProcessGroupIsolation();
  const bwrap = new BwrapIsolation();
  const reason = await probe(bwrap, kubectl);
  if (reason === undefined) return bwrap;
  bwrap.close();
  throw new PracticeError("environment", "grade.bwrap-unusable", { reason });
}

/** Runs `true`-like script in a sandbox that leads nowhere; undefined when it did what it should, else what it said. */
async function probe(isolation: Isolation, kubectl: string): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "k8s-practice-probe-"));
  try {
    const submission = join(folder, "submission");
    mkdirSync(submission);
    writeFileSync(join(submission, "probe.sh"), 'echo "$$ $(id -u)"\n');
    const kubeconfig = join(folder, "kubeconfig");
    writeFileSync(
      kubeconfig,
      "current-context: p\ncontexts: [{name: p, context: {cluster: p}}]\nclusters: [{name: p, cluster: {server: 'https://127.0.0.1:6443'}}]\n",
    );
    const limits = { ...defaultLimits, seconds: 10 };
    const run = await isolation.run({ submission, file: "probe.sh", kubeconfig, kubectl, limits });
    return run.exitCode === 0 && /^\d+ 1000$/.test(run.output.trim()) ? undefined : run.output.trim();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
