import type { Pod } from "../../api/pod.ts";
import { readySince } from "./owned-pods.ts";

const cost = "controller.kubernetes.io/pod-deletion-cost";
const phases: Record<string, number> = { Pending: 0, Unknown: 1, Running: 2 };

/**
 * Pods in the order in which a ReplicaSet gives them up when it is scaled down
 * (https://kubernetes.io/docs/concepts/workloads/controllers/replicaset/#scaling-a-replicaset).
 */
export function deletionOrder(pods: readonly Pod[]): Pod[] {
  const onNode = new Map<string, number>();
  for (const pod of pods) {
    const node = pod.spec?.nodeName ?? "";
    onNode.set(node, (onNode.get(node) ?? 0) + 1);
  }
  const rank = (pod: Pod): number[] => [
    pod.spec?.nodeName ? 1 : 0,
    phases[pod.status?.phase ?? ""] ?? 0,
    readySince(pod) === undefined ? 0 : 1,
    Number(pod.metadata.annotations?.[cost] ?? 0) || 0,
    -(onNode.get(pod.spec?.nodeName ?? "") ?? 0),
    -(readySince(pod) ?? 0),
    -restarts(pod),
    -Date.parse(pod.metadata.creationTimestamp ?? ""),
  ];
  return pods
    .map((pod) => ({ pod, rank: rank(pod) }))
    .sort((a, b) => {
      const at = a.rank.findIndex((value, i) => value !== b.rank[i]);
      return at < 0 ? 0 : (a.rank[at] ?? 0) - (b.rank[at] ?? 0);
    })
    .map(({ pod }) => pod);
}

function restarts(pod: Pod): number {
  return Math.max(0, ...(pod.status?.containerStatuses ?? []).map((c) => c.restartCount));
}
