import type { V1Lease } from "@kubernetes/client-node";
import { rfc3339 } from "../../api/clock.ts";
import type { KubeObject, Wire } from "../../api/object.ts";
import { conditionStatus, type Node, type NodeCondition, type Taint } from "../../api/pod.ts";

export type Lease = KubeObject & Wire<V1Lease>;

const kubeletConditions = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"];

/** The conditions of a node whose kubelet has fallen silent: all of its own become Unknown. */
export function silentConditions(node: Node, now: number): NodeCondition[] {
  const time = rfc3339(now);
  const before = node.status?.conditions ?? [];
  const unknown = kubeletConditions.map((type) => {
    const old = before.find((c) => c.type === type);
    if (old === undefined) {
      return {
        lastHeartbeatTime: node.metadata.creationTimestamp,
        lastTransitionTime: time,
        message: "Kubelet never posted node status.",
        reason: "NodeStatusNeverUpdated",
        status: "Unknown",
        type,
      };
    }
    if (old.status === "Unknown") return old;
    const message = "Kubelet stopped posting node status.";
    return { ...old, lastTransitionTime: time, message, reason: "NodeStatusUnknown", status: "Unknown" };
  });
  const types = new Set(kubeletConditions);
  const known = new Map(unknown.map((c) => [c.type, c]));
  return [
    ...before.map((c) => (types.has(c.type) ? known.get(c.type)! : c)),
    ...unknown.filter((c) => !before.some((b) => b.type === c.type)),
  ] as NodeCondition[];
}

const byCondition: [condition: string, status: string, taint: string][] = [
  ["Ready", "False", "node.kubernetes.io/not-ready"],
  ["Ready", "Unknown", "node.kubernetes.io/unreachable"],
  ["MemoryPressure", "True", "node.kubernetes.io/memory-pressure"],
  ["DiskPressure", "True", "node.kubernetes.io/disk-pressure"],
  ["NetworkUnavailable", "True", "node.kubernetes.io/network-unavailable"],
  ["PIDPressure", "True", "node.kubernetes.io/pid-pressure"],
];

const unschedulable = "node.kubernetes.io/unschedulable";

/**
 * The taints a node should have, given its conditions and `unschedulable`: NoSchedule for each bad condition, NoExecute
 * when it is not ready (https://kubernetes.io/docs/reference/node/node-status/). Other taints stay as they are.
 * @param now when a new NoExecute taint begins to count
 */
export function taintsFor(node: Node, now: number): Taint[] {
  const wanted: { key: string; effect: string }[] = [];
  for (const [condition, status, key] of byCondition) {
    if (!node.status?.conditions?.some((c) => c.type === condition)) continue;
    if (conditionStatus(node, condition) === status) wanted.push({ key, effect: "NoSchedule" });
  }
  if (node.spec?.unschedulable) wanted.push({ key: unschedulable, effect: "NoSchedule" });
  const readiness = node.status?.conditions?.find((c) => c.type === "Ready")?.status;
  if (readiness === "False") wanted.push({ key: "node.kubernetes.io/not-ready", effect: "NoExecute" });
  if (readiness === "Unknown") wanted.push({ key: "node.kubernetes.io/unreachable", effect: "NoExecute" });

  const managed = new Set([...byCondition.map(([, , key]) => key), unschedulable]);
  const before = node.spec?.taints ?? [];
  const isWanted = (taint: Taint) => wanted.some((w) => w.key === taint.key && w.effect === taint.effect);
  const kept = before.filter((taint) => {
    if (!managed.has(taint.key)) return true;
    // The admission of a new node puts the NoSchedule taint; a NoExecute one of these keys is ours, too.
    return isWanted(taint);
  });
  const missing = wanted.filter((w) => !before.some((t) => t.key === w.key && t.effect === w.effect));
  return [...kept, ...missing.map((w) => ({ ...w, timeAdded: rfc3339(now) }))] as Taint[];
}
