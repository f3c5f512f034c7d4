import type { V1Node } from "@kubernetes/client-node";
import { isNotFound, type KubeClient } from "../client/index.ts";
import type { NodeChanges } from "../clusters/provider.ts";
import type { Wire } from "../embedded/api/object.ts";
import type { NodeBaseline } from "../verify/define-step.ts";
import type { Task } from "./task.ts";

/** Taints that the cluster sets and removes by itself. */
const byTheCluster = (key: string) => key.startsWith("node.kubernetes.io/") || key.startsWith("node.cloudprovider.");

/** The nodes as they are now: what `undoNodeChanges` brings them back to. */
export async function readNodes(client: KubeClient, signal: AbortSignal): Promise<NodeBaseline[]> {
  const { items } = await client.call<{ items: Wire<V1Node>[] }>({ path: "/api/v1/nodes", signal });
  return items.map(toBaseline);
}

function toBaseline(node: Wire<V1Node>): NodeBaseline {
  return {
    name: node.metadata?.name ?? "",
    labels: { ...node.metadata?.labels },
    taints: (node.spec?.taints ?? [])
      .filter(({ key }) => !byTheCluster(key))
      .map(({ key, value, effect }) => ({ key, ...(value ? { value } : {}), effect })),
    unschedulable: node.spec?.unschedulable === true,
  };
}

/** Gives the nodes the labels and taints that the task's shape asks for. */
export async function applyShape(
  client: KubeClient,
  task: Task,
  nodes: NodeBaseline[],
  signal: AbortSignal,
): Promise<void> {
  const pools = poolsByNode(task, nodes);
  for (const node of nodes) {
    const role = task.shape.nodes?.[isControlPlane(node) ? "controlPlane" : "worker"];
    const pool = pools.get(node.name);
    const taints = [...(role?.taints ?? []), ...(pool?.taints ?? [])];
    const labels = { ...role?.labels, ...pool?.labels };
    const missing = taints.filter((t) => !node.taints.some((own) => own.key === t.key && own.effect === t.effect));
    const differs = Object.entries(labels).some(([key, value]) => node.labels[key] !== value);
    if (missing.length === 0 && !differs) continue;
    await restore(
      client,
      { ...node, labels: { ...node.labels, ...labels }, taints: [...node.taints, ...missing] },
      signal,
    );
  }
}

const isControlPlane = (node: NodeBaseline) => "node-role.kubernetes.io/control-plane" in node.labels;

/** Which pool a worker belongs to. Workers beyond the pools' sizes belong to none. */
function poolsByNode(task: Task, nodes: readonly NodeBaseline[]): Map<string, NodeChanges> {
  const workers = nodes.filter((node) => !isControlPlane(node)).map(({ name }) => name);
  workers.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const pools = (task.shape.pools ?? []).flatMap((pool) => Array<NodeChanges>(pool.workers).fill(pool));
  return new Map(workers.slice(0, pools.length).map((name, i) => [name, pools[i]!]));
}

/** Everything the task's shape sets on one node or another. */
const nodeChanges = ({ shape }: Task): NodeChanges[] => [...Object.values(shape.nodes ?? {}), ...(shape.pools ?? [])];

/** Does the task's shape label or taint nodes? */
export function changesNodes(task: Task): boolean {
  return nodeChanges(task).some((node) => Object.keys(node.labels ?? {}).length > 0 || (node.taints ?? []).length > 0);
}

/** The node as it is now, with what the task's shape sets put back to what it was. */
function withoutShape(now: NodeBaseline, before: NodeBaseline, task: Task): NodeBaseline {
  const set = nodeChanges(task);
  const labels = { ...now.labels };
  for (const key of set.flatMap((node) => Object.keys(node.labels ?? {}))) {
    delete labels[key];
    if (before.labels[key] !== undefined) labels[key] = before.labels[key];
  }
  const keys = set.flatMap((node) => (node.taints ?? []).map((taint) => taint.key));
  const taints = [
    ...now.taints.filter((taint) => !keys.includes(taint.key)),
    ...before.taints.filter((taint) => keys.includes(taint.key)),
  ];
  return { ...now, labels, taints };
}

export interface Undone {
  /** Nodes that were brought back. */
  changed: string[];
  /** Nodes that no longer exist. */
  missing: string[];
}

/**
 * Brings labels, taints and cordons of the nodes back to what they were. Nodes that joined since stay as they are.
 *
 * @param options.only on a cluster that others use too: nothing but what this task itself sets on nodes
 */
export async function undoNodeChanges(
  client: KubeClient,
  baseline: readonly NodeBaseline[],
  { signal, only }: { signal: AbortSignal; only?: Task },
): Promise<Undone> {
  const undone: Undone = { changed: [], missing: [] };
  if (only !== undefined && !changesNodes(only)) return undone;
  const now = new Map((await readNodes(client, signal)).map((node) => [node.name, node]));
  for (const before of baseline) {
    const current = now.get(before.name);
    const node = only === undefined || current === undefined ? before : withoutShape(current, before, only);
    if (current === undefined) undone.missing.push(node.name);
    else if (!sameNode(current, node)) {
      if (await restore(client, node, signal)) undone.changed.push(node.name);
      else undone.missing.push(node.name);
    }
  }
  return undone;
}

/** One JSON patch guarded by the version it was made for; tried again when somebody else was quicker. */
async function restore(client: KubeClient, wanted: NodeBaseline, signal: AbortSignal): Promise<boolean> {
  const path = `/api/v1/nodes/${wanted.name}`;
  for (let attempt = 0; ; attempt++) {
    try {
      const node = await client.call<Wire<V1Node>>({ path, signal });
      const kept = (node.spec?.taints ?? []).filter(
        ({ key }) => byTheCluster(key) && !(key === "node.kubernetes.io/unschedulable" && !wanted.unschedulable),
      );
      const labels: Record<string, string | null> = { ...wanted.labels };
      for (const key of Object.keys(node.metadata?.labels ?? {})) if (!(key in labels)) labels[key] = null;
      await client.call({
        method: "PATCH",
        path,
        contentType: "application/merge-patch+json",
        body: {
          metadata: { resourceVersion: node.metadata?.resourceVersion, labels },
          spec: {
            taints: [...wanted.taints, ...kept].length > 0 ? [...wanted.taints, ...kept] : null,
            unschedulable: wanted.unschedulable ? true : null,
          },
        },
        signal,
      });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      if (attempt >= 5 || (error as { code?: number }).code !== 409) throw error;
    }
  }
}

function sameNode(a: NodeBaseline, b: NodeBaseline): boolean {
  const taints = (node: NodeBaseline) =>
    node.taints
      .map((t) => `${t.key}=${t.value ?? ""}:${t.effect}`)
      .sort()
      .join();
  const labels = (node: NodeBaseline) => JSON.stringify(Object.entries(node.labels).sort());
  return a.unschedulable === b.unschedulable && taints(a) === taints(b) && labels(a) === labels(b);
}
