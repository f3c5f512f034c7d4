import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { KubeClient, readCredentials } from "../client/index.ts";
import { selectCluster } from "../clusters/index.ts";
import type { Cluster } from "../clusters/provider.ts";
import type { Say } from "../messages/translator.ts";
import { changesNodes, readNodes, undoNodeChanges } from "../tasks/node-changes.ts";
import { prepareTask } from "../tasks/prepare-task.ts";
import { removeObjects } from "../tasks/remove-objects.ts";
import { imagesOf } from "../tasks/start-state.ts";
import type { Task } from "../tasks/task.ts";
import type { ClusterSource, GradeCluster } from "./cluster-source.ts";

export interface SharedOptions {
  /** `kind` or `context:NAME`. */
  wanted: string;
  home: string;
  env: NodeJS.ProcessEnv;
  /** `--yes`, `--allow-nodes`. */
  consent: { yes: boolean; allowNodes: boolean };
  say: Say;
}

/**
 * One cluster for all submissions, kind's or somebody's, with a namespace for each: made for it and deleted after it,
 * and the nodes brought back to what they were. One submission at a time, since they share the nodes.
 */
export class SharedSource implements ClusterSource {
  constructor(private readonly options: SharedOptions) {}

  async fresh(given: Task, signal: AbortSignal): Promise<GradeCluster> {
    const { say } = this.options;
    // A namespace that is still going must not be met again.
    const namespace = `${given.spec.namespace}-${randomBytes(3).toString("hex")}`;
    const task = { ...given, spec: { ...given.spec, namespace } };
    const cluster = await this.bringUp(task, signal);
    const client = new KubeClient(await readCredentials(cluster.kubeconfigPath, cluster.context));
    const folder = mkdtempSync(join(tmpdir(), "k8s-practice-cluster-"));
    const baseline = await readNodes(client, signal);
    const close = async () => {
      try {
        // Cleaning up is done even when grading was interrupted.
        const late = AbortSignal.timeout(120_000);
        await removeObjects(client, task, { say, signal: late });
        await undoNodeChanges(client, baseline, { signal: late, only: cluster.owned ? undefined : task });
      } finally {
        client.close();
        rmSync(folder, { recursive: true, force: true });
      }
    };
    try {
      const kubeconfig = join(folder, "kubeconfig");
      writeFileSync(kubeconfig, onlyContext(readFileSync(cluster.kubeconfigPath, "utf8"), cluster.context, namespace), {
        mode: 0o600,
      });
      await prepareTask(client, task, baseline, { say, signal });
      return {
        kubeconfig,
        client,
        namespace,
        baseline,
        trace: cluster.trace,
        kind: cluster.id,
        version: cluster.version,
        close,
      };
    } catch (error) {
      await close().catch(() => undefined);
      throw error;
    }
  }

  private async bringUp(task: Task, signal: AbortSignal): Promise<Cluster> {
    const { wanted, home, env, consent, say } = this.options;
    const use = { task: task.name, namespace: task.spec.namespace, changesNodes: changesNodes(task), ...consent };
    const { provider } = await selectCluster({ wanted, home, env, task: task.name, use });
    const quiet = { phase: () => {} };
    const cluster = await provider.up(task.shape, quiet, { signal });
    await cluster.prepareImages?.(await imagesOf(task, say), quiet, signal);
    return cluster;
  }
}

/** The kubeconfig with `context` current and in `namespace`. */
function onlyContext(text: string, context: string, namespace: string): string {
  const config = parse(text) as {
    "current-context": string;
    contexts: { name: string; context: { namespace?: string } }[];
  };
  config["current-context"] = context;
  config.contexts = config.contexts.filter((c) => c.name === context);
  for (const entry of config.contexts) entry.context.namespace = namespace;
  return stringify(config);
}
