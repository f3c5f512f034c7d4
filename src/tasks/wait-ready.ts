import type { KubeClient } from "../client/index.ts";
import { ClusterReader } from "../verify/reader/cluster-reader.ts";
import { waitForChange } from "../verify/settle.ts";

interface Workload {
  metadata: { generation?: number };
  spec?: { replicas?: number };
  status?: Record<string, number | undefined> & { conditions?: { type: string; status: string }[] };
}

const resources: Record<string, string> = {
  daemonset: "apps/v1/daemonsets",
  deployment: "apps/v1/deployments",
  statefulset: "apps/v1/statefulsets",
  replicaset: "apps/v1/replicasets",
  job: "batch/v1/jobs",
  pod: "v1/pods",
};

/**
 * Waits until an object, `daemonset/node-agent`, is rolled out (a workload), ready (a Pod) or complete (a Job).
 *
 * @returns undefined when it is; its last state in words when the time was over
 */
export async function waitReady(
  client: KubeClient,
  { what, namespace, timeout, signal }: { what: string; namespace: string; timeout: number; signal: AbortSignal },
): Promise<string | undefined> {
  const [kind = "", name = ""] = what.split("/");
  const deadline = Date.now() + timeout;
  for (;;) {
    const reader = new ClusterReader(client, namespace, signal);
    const object = await reader.find<Workload>(resources[kind]!, name);
    const state = object === undefined ? "not found" : unready(kind, object);
    if (state === undefined || Date.now() >= deadline) return state;
    await waitForChange(client, reader.reads, { deadline, signal });
  }
}

function unready(kind: string, { metadata, spec, status = {} }: Workload): string | undefined {
  const condition = (type: string) => status.conditions?.some((c) => c.type === type && c.status === "True") === true;
  if (kind === "pod") return condition("Ready") ? undefined : "not ready";
  if (kind === "job") return condition("Complete") ? undefined : "not complete";
  if ((status["observedGeneration"] ?? 0) < (metadata.generation ?? 0)) return "not yet seen by its controller";
  const [wanted, ready, updated] =
    kind === "daemonset"
      ? [status["desiredNumberScheduled"] ?? 0, status["numberAvailable"] ?? 0, status["updatedNumberScheduled"] ?? 0]
      : [
          spec?.replicas ?? 1,
          status["availableReplicas"] ?? status["readyReplicas"] ?? 0,
          status["updatedReplicas"] ?? spec?.replicas ?? 1,
        ];
  return ready >= wanted && updated >= wanted ? undefined : `${ready} of ${wanted} ready`;
}
