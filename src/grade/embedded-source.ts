import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { KubeClient, readCredentials } from "../client/index.ts";
import { nodesOf } from "../clusters/embedded/nodes.ts";
import type { AuditEvent } from "../clusters/trace.ts";
import { startEmbeddedCluster } from "../embedded/cluster.ts";
import type { Say } from "../messages/translator.ts";
import { readNodes } from "../tasks/node-changes.ts";
import { prepareTask } from "../tasks/prepare-task.ts";
import type { Task } from "../tasks/task.ts";
import type { ClusterSource, GradeCluster } from "./cluster-source.ts";

/** A throwaway embedded cluster in this process for every try: in memory only, gone when it is closed. */
export class EmbeddedSource implements ClusterSource {
  constructor(private readonly say: Say) {}

  async fresh(task: Task, signal: AbortSignal): Promise<GradeCluster> {
    const folder = mkdtempSync(join(tmpdir(), "k8s-practice-cluster-"));
    const events: AuditEvent[] = [];
    const cluster = await startEmbeddedCluster({
      nodes: nodesOf(task.shape, "k8s-practice"),
      onAudit: (event) => events.push(event as unknown as AuditEvent),
    });
    const close = async () => {
      client?.close();
      await cluster.close();
      rmSync(folder, { recursive: true, force: true });
    };
    let client: KubeClient | undefined;
    try {
      const kubeconfig = join(folder, "kubeconfig");
      const { text, context } = inNamespace(cluster.kubeconfig, task.spec.namespace);
      writeFileSync(kubeconfig, text, { mode: 0o600 });
      client = new KubeClient(await readCredentials(kubeconfig, context));
      const { gitVersion } = await client.call<{ gitVersion: string }>({ path: "/version", signal });
      const baseline = await readNodes(client, signal);
      await prepareTask(client, task, baseline, { say: this.say, signal, timeout: 60_000 });
      return {
        kubeconfig,
        client,
        namespace: task.spec.namespace,
        baseline,
        trace: { read: async (since) => events.filter((e) => Date.parse(e.requestReceivedTimestamp) >= since) },
        kind: "embedded",
        version: gitVersion,
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  }
}

/** The kubeconfig with the current context in `namespace`. */
export function inNamespace(text: string, namespace: string): { text: string; context: string } {
  const config = parse(text) as {
    "current-context": string;
    contexts: { name: string; context: { namespace?: string } }[];
  };
  const context = config.contexts.find((c) => c.name === config["current-context"])!;
  context.context.namespace = namespace;
  return { text: stringify(config), context: context.name };
}
