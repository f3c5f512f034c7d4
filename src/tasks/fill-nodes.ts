import type { V1Node, V1Pod } from "@kubernetes/client-node";
import type { KubeClient } from "../client/index.ts";
import type { Wire } from "../embedded/api/object.ts";
import type { Manifest } from "./manifest.ts";

/**
 * Annotation of a workload in a start state, "0.25": its first container requests this share of the CPU that is free on
 * the nodes its nodeSelector names. How large a node is differs from cluster to cluster; how full it is must not.
 */
export const cpuShareAnnotation = "k8s-practice/cpu-share";

/** Left over on a node whose shares add up to 1, milliCPU: for what the cluster itself may start there meanwhile. */
const spare = 20;

interface Container {
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
}

/**
 * The manifest with the CPU request that its share comes to; as it is where it asks for none.
 *
 * @throws RangeError when the share is no number above 0 and up to 1, or no node matches
 */
export async function fillNodes(
  client: KubeClient,
  manifest: Manifest,
  { namespace, signal }: { namespace: string; signal: AbortSignal },
): Promise<Manifest> {
  const { annotations } = manifest.metadata as { annotations?: Record<string, string> };
  const wanted = annotations?.[cpuShareAnnotation];
  if (wanted === undefined) return manifest;
  const share = Number(wanted);
  if (!(share > 0 && share <= 1)) throw new RangeError(`${cpuShareAnnotation}: "${wanted}"`);
  const filled = structuredClone(manifest);
  const spec = (filled["spec"] as { template: { spec: PodSpec } }).template.spec;
  const free = await freeCpu(client, spec.nodeSelector ?? {}, { namespace, signal });
  const container = spec.containers[0]!;
  const cpu = `${Math.floor((free - spare) * share)}m`;
  container.resources = { ...container.resources, requests: { ...container.resources?.requests, cpu } };
  return filled;
}

interface PodSpec {
  nodeSelector?: Record<string, string>;
  containers: Container[];
}

/** milliCPU free on the fullest matching node, what runs in the task's own namespace left out. */
async function freeCpu(
  client: KubeClient,
  selector: Record<string, string>,
  { namespace, signal }: { namespace: string; signal: AbortSignal },
): Promise<number> {
  const labelSelector = Object.entries(selector).map(([key, value]) => `${key}=${value}`);
  const [nodes, pods] = await Promise.all([
    client.call<{ items: Wire<V1Node>[] }>({
      path: "/api/v1/nodes",
      query: { labelSelector: labelSelector.join(",") },
      signal,
    }),
    client.call<{ items: Wire<V1Pod>[] }>({ path: "/api/v1/pods", signal }),
  ]);
  if (nodes.items.length === 0) throw new RangeError(`${cpuShareAnnotation}: ${labelSelector.join(",")}`);
  const free = nodes.items.map((node) => {
    const others = pods.items.filter(
      ({ metadata, spec, status }) =>
        spec?.nodeName === node.metadata?.name &&
        metadata?.namespace !== namespace &&
        status?.phase !== "Succeeded" &&
        status?.phase !== "Failed",
    );
    const used = others.reduce((sum, pod) => sum + requestedCpu(pod), 0);
    return milli(node.status?.allocatable?.["cpu"]) - used;
  });
  return Math.min(...free);
}

/** What the scheduler counts: the containers together, or the largest of the init containers where that is more. */
function requestedCpu({ spec }: Wire<V1Pod>): number {
  const of = (container: Container) => milli(container.resources?.requests?.["cpu"]);
  const inits = spec?.initContainers ?? [];
  const sidecars = inits.filter(({ restartPolicy }) => restartPolicy === "Always");
  const running = [...(spec?.containers ?? []), ...sidecars].reduce((sum, container) => sum + of(container), 0);
  return Math.max(running, ...inits.map(of)) + milli(spec?.overhead?.["cpu"]);
}

/** milliCPU of a quantity as API servers write CPU: `4`, `250m`, `0.5`. */
function milli(quantity: string | undefined): number {
  if (quantity === undefined) return 0;
  const [, number = "0", suffix = ""] = /^([0-9.]+)([a-zA-Z]*)$/.exec(quantity) ?? [];
  const factors: Record<string, number> = { n: 1e-6, u: 1e-3, m: 1, "": 1000, k: 1e6 };
  return Number(number) * (factors[suffix] ?? 1000);
}
