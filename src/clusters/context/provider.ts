import { createHash } from "node:crypto";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { KubeClient, readCredentials, StatusError } from "../../client/index.ts";
import { message } from "../../messages/catalogue.ts";
import { PracticeError } from "../../messages/practice-error.ts";
import { writeAtomically } from "../files/atomic-write.ts";
import { clusterPaths } from "../home.ts";
import type { Cluster, ClusterProvider, ClusterShape, Progress } from "../provider.ts";
import { forgetConsents, hasConsent, requireConsent } from "./consent.ts";
import { commonPermissions, namespacePermissions, nodePermissions, requirePermissions } from "./permissions.ts";
import { ownKubeconfig, sourceContext } from "./source.ts";

/** What a task is about to do on a cluster that is not ours. */
export interface ContextUse {
  task: string;
  /** Where it works: the task's namespace, with a class's prefix. */
  namespace: string;
  /** It labels or taints nodes. */
  changesNodes: boolean;
  /** `--yes` */
  yes: boolean;
  /** `--allow-nodes` */
  allowNodes: boolean;
}

export interface ContextOptions {
  /** The context's name in the learner's kubeconfig. */
  name: string;
  home: string;
  env: NodeJS.ProcessEnv;
  /** Needed by `up`; without it nothing may be done. */
  use?: ContextUse;
}

/**
 * A cluster that someone else owns, reached through a context of the learner's kubeconfig. Nothing is sent to it before
 * the learner has agreed, nothing is made or deleted by this provider, and there is no trace.
 */
export function contextProvider({ name, home, env, use }: ContextOptions): ClusterProvider {
  const folder = join(clusterPaths(home).context, folderName(name));
  const kubeconfigPath = join(folder, "kubeconfig");
  const context = `k8s-practice-${name}`;

  async function connect(): Promise<KubeClient> {
    return new KubeClient(await readCredentials(kubeconfigPath, context), { patience: 5_000 });
  }

  /** Our copy follows the learner's kubeconfig: certificates and tokens are renewed there. */
  async function copyContext(): Promise<string> {
    const source = await sourceContext(name, env);
    const text = ownKubeconfig(source, context);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if ((await readFile(kubeconfigPath, "utf8").catch(() => "")) !== text) await writeAtomically(kubeconfigPath, text);
    return source.server;
  }

  async function up(shape: ClusterShape, progress: Progress): Promise<Cluster> {
    const { server } = await sourceContext(name, env);
    const { task, namespace, changesNodes, yes, allowNodes } = use ?? { ...nothing, namespace: "", task: "" };
    await requireConsent(home, { context: name, server, task, namespace, changesNodes }, { yes, allowNodes });
    await copyContext();
    const client = await connect();
    try {
      progress.phase(message("clusters.context.asking", { context: name }));
      const { gitVersion } = await client.call<{ gitVersion: string }>({ path: "/version" });
      const exists = await namespaceExists(client, namespace);
      await requirePermissions(client, name, namespace, [
        ...commonPermissions,
        ...(exists ? [] : namespacePermissions),
        ...(changesNodes ? nodePermissions : []),
      ]);
      await assertShape(client, shape);
      return clusterOf(gitVersion);
    } finally {
      client.close();
    }
  }

  async function assertShape(client: KubeClient, shape: ClusterShape): Promise<void> {
    const { items } = await client.call<{ items: { metadata: { labels?: Record<string, string> } }[] }>({
      path: "/api/v1/nodes",
    });
    const controlPlanes = items.filter(
      (node) => node.metadata.labels?.["node-role.kubernetes.io/control-plane"] !== undefined,
    ).length;
    const workers = items.length - controlPlanes;
    if (controlPlanes >= shape.controlPlanes && workers >= shape.workers) return;
    throw new PracticeError("environment", "clusters.context.too-few-nodes", {
      context: name,
      controlPlanes,
      workers,
      wantedControlPlanes: shape.controlPlanes,
      wantedWorkers: shape.workers,
    });
  }

  function clusterOf(version: string): Cluster {
    return {
      id: `context:${name}`,
      kubeconfigPath,
      context,
      trace: undefined,
      capabilities: new Set(),
      owned: false,
      version,
    };
  }

  return {
    kind: "context",
    async detect() {
      try {
        const { server } = await sourceContext(name, env);
        return { usable: true, detail: message("clusters.context.detail", { context: name, server }) };
      } catch (error) {
        if (!(error instanceof PracticeError)) throw error;
        return { usable: false, reason: error.text, remedy: error.hint };
      }
    },
    up,
    async find() {
      const source = await sourceContext(name, env).catch(() => undefined);
      if (source === undefined || !(await hasConsent(home, name, source.server))) return undefined;
      await copyContext();
      const client = await connect();
      try {
        const { gitVersion } = await client.call<{ gitVersion: string }>({ path: "/version" });
        return clusterOf(gitVersion);
      } catch (error) {
        if (error instanceof PracticeError || error instanceof StatusError) return undefined;
        throw error;
      } finally {
        client.close();
      }
    },
    async down() {
      const forgotten = await forgetConsents(home, name);
      await rm(folder, { recursive: true, force: true });
      return forgotten;
    },
  };
}

const nothing = { changesNodes: false, yes: false, allowNodes: false };

async function namespaceExists(client: KubeClient, namespace: string): Promise<boolean> {
  try {
    await client.call({ path: `/api/v1/namespaces/${namespace}` });
    return true;
  } catch (error) {
    // 403: the permissions are asked about next.
    if (error instanceof StatusError && (error.code === 404 || error.code === 403)) return false;
    throw error;
  }
}

/** Context names may hold anything (`arn:aws:eks:…/name`). */
function folderName(context: string): string {
  const hash = createHash("sha256").update(context).digest("hex").slice(0, 8);
  return `${context.replaceAll(/[^A-Za-z0-9.-]+/g, "-").slice(0, 40)}-${hash}`;
}
