import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const run = fileURLToPath(new URL("../../dist/run.js", import.meta.url));

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** A learner at one cluster, with a home folder and a kubeconfig of their own. */
export interface Learner {
  /** `./run ARGS --cluster …`; `-o json` where a document is wanted. */
  run(...args: string[]): Promise<Ended>;
  /** A script of plain kubectl, as the learner would type it. */
  shell(script: string): Promise<Ended>;
  leave(): Promise<void>;
}

/** @param kubectl folder of the kubectl to use; the machine's own where absent */
export async function learnerAt(cluster: string, kubectl?: string): Promise<Learner> {
  const home = await mkdtemp(join(tmpdir(), "k8s-practice-test-"));
  const kubeconfig = join(home, "kubeconfig");
  const path = [kubectl, process.env["PATH"]].filter((part) => part !== undefined).join(delimiter);
  const env = { ...process.env, PATH: path, K8S_PRACTICE_HOME: home, NO_COLOR: "1" };
  if (cluster.startsWith("context:")) {
    // The learner's contexts, in a copy: their own file is not written to.
    const view = await execute("kubectl", ["config", "view", "--raw", "--flatten"], env);
    await writeFile(kubeconfig, view.stdout, { mode: 0o600 });
  }
  const own = { ...env, KUBECONFIG: kubeconfig };
  return {
    run: (...args) => execute(process.execPath, [run, ...args, "--cluster", cluster], own),
    shell: (script) => execute("sh", ["-e", "-c", script], own),
    leave: () => rm(home, { recursive: true, force: true }),
  };
}

function execute(file: string, args: string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(file, args, { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 70;
      resolve({ code, stdout, stderr });
    });
  });
}
