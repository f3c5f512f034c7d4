import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { KubeClient, readCredentials } from "../../src/client/index.ts";
import type { AuditEvent } from "../../src/clusters/trace.ts";
import { type EmbeddedCluster, type NodeShape, startEmbeddedCluster } from "../../src/embedded/cluster.ts";
import { loadTranslator } from "../../src/messages/translator.ts";
import { readNodes } from "../../src/tasks/node-changes.ts";
import { prepareTask } from "../../src/tasks/prepare-task.ts";
import type { Step, Task } from "../../src/tasks/task.ts";
import { loadVerifier } from "../../src/tasks/verifier-module.ts";
import type { NodeBaseline } from "../../src/verify/define-step.ts";
import { runStep, type StepReport } from "../../src/verify/run-step.ts";
import { kubectlFolder } from "../e2e/workplace.ts";

const nodes: NodeShape[] = [
  { name: "k8s-practice-control-plane", controlPlane: true },
  { name: "k8s-practice-worker", controlPlane: false },
  { name: "k8s-practice-worker2", controlPlane: false },
];

/** A fresh embedded cluster at a task's start state, worked on by scripts with real kubectl. */
export class PracticeCluster {
  #since = 0;

  private constructor(
    private readonly cluster: EmbeddedCluster,
    private readonly client: KubeClient,
    private readonly audit: AuditEvent[],
    private readonly folder: string,
    private readonly task: Task,
    private readonly baseline: NodeBaseline[],
  ) {}

  static async make(task: Task): Promise<PracticeCluster> {
    const audit: AuditEvent[] = [];
    const onAudit = (event: Record<string, unknown>) => audit.push(event as unknown as AuditEvent);
    const cluster = await startEmbeddedCluster({ nodes, onAudit });
    const folder = await mkdtemp(join(tmpdir(), "k8s-practice-proof-"));
    const kubeconfig = join(folder, "kubeconfig");
    await writeFile(kubeconfig, cluster.kubeconfig);
    const client = new KubeClient(await readCredentials(kubeconfig, "k8s-practice-embedded"));
    await mkdir(join(folder, "bin"));
    await symlink(join(kubectlFolder(), "kubectl"), join(folder, "bin/kubectl"));
    const signal = new AbortController().signal;
    const baseline = await readNodes(client, signal);
    await prepareTask(client, task, baseline, { say: await loadTranslator("en"), signal, timeout: 30_000 });
    const made = new PracticeCluster(cluster, client, audit, folder, task, baseline);
    await made.script(`kubectl config set-context --current --namespace=${task.spec.namespace}`);
    made.begin();
    return made;
  }

  /** The trace counts from now on. */
  begin(): void {
    this.#since = Date.now();
  }

  /** Runs a script as a learner would; its exit code does not matter. */
  async script(text: string): Promise<{ stdout: string; stderr: string }> {
    const { stdout, stderr } = await execa("bash", ["-c", text], {
      cwd: this.folder,
      env: {
        PATH: `${join(this.folder, "bin")}:${process.env["PATH"]}`,
        HOME: this.folder,
        KUBECONFIG: join(this.folder, "kubeconfig"),
      },
      extendEnv: false,
      reject: false,
      stdin: "ignore",
      timeout: 60_000,
    });
    return { stdout, stderr };
  }

  async verify(step: Step, options: { timeout?: number; trace?: boolean; answer?: string } = {}): Promise<StepReport> {
    return runStep({
      verifier: await loadVerifier(step, { home: join(tmpdir(), "k8s-practice-proof-cache") }),
      client: this.client,
      namespace: this.task.spec.namespace,
      trace: options.trace === false ? undefined : { read: async () => [...this.audit] },
      since: this.#since,
      baseline: this.baseline,
      timeout: options.timeout ?? 15_000,
      signal: new AbortController().signal,
      answer: async () => options.answer,
    });
  }

  async close(): Promise<void> {
    this.client.close();
    await this.cluster.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
