import type { NodeInfo, PodInfo } from "../node-info.ts";
import type { Failure, Filter } from "./filter.ts";
import { matchesNodeAffinity } from "./node-affinity.ts";
import { tolerates, untoleratedTaint } from "./taints.ts";

const unschedulableTaint = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };

/** The filters that look at one node and the Pod alone, in the order of the default profile's plugins. */
export function nodeFilters(incoming: PodInfo): Filter[] {
  const spec = incoming.pod.spec!;
  const tolerations = spec.tolerations ?? [];
  return [
    (info) =>
      info.node?.spec?.unschedulable && !tolerations.some((t) => tolerates(t, unschedulableTaint))
        ? failure("NodeUnschedulable", false, "node(s) were unschedulable")
        : undefined,
    (info) =>
      spec.nodeName && spec.nodeName !== info.name
        ? failure("NodeName", false, "node(s) didn't match the requested node name")
        : undefined,
    (info) =>
      untoleratedTaint(info.node?.spec?.taints, tolerations, ["NoSchedule", "NoExecute"])
        ? failure("TaintToleration", false, "node(s) had untolerated taint(s)")
        : undefined,
    (info) =>
      matchesNodeAffinity(spec, info.node!)
        ? undefined
        : failure("NodeAffinity", false, "node(s) didn't match Pod's node affinity/selector"),
    (info) =>
      incoming.ports.some((port) => info.portTaken(port))
        ? failure("NodePorts", true, "node(s) didn't have free ports for the requested pod ports")
        : undefined,
    (info) => resourcesFit(incoming, info),
  ];
}

/** NodeResourcesFit: the node's allocatable less what its Pods asked for holds the request. */
export function resourcesFit(incoming: PodInfo, info: NodeInfo): Failure | undefined {
  const lacking = insufficientResources(incoming, info);
  if (lacking.length === 0) return undefined;
  const reasons = lacking.map((r) => (r.resource === "pods" ? "Too many pods" : `Insufficient ${r.resource}`));
  // More than the whole node has: emptying it would not help.
  const resolvable = lacking.every((r) => r.requested <= r.capacity);
  return { plugin: "NodeResourcesFit", reasons, resolvable };
}

export interface Insufficiency {
  resource: string;
  requested: number;
  used: number;
  capacity: number;
}

const first = ["cpu", "memory", "ephemeral-storage"];

/** The resources a node has too little of; `pods` first, then CPU, memory, ephemeral storage and the others. */
export function insufficientResources(incoming: PodInfo, info: NodeInfo): Insufficiency[] {
  const lacking: Insufficiency[] = [];
  const room = info.allocatable["pods"] ?? 0;
  if (info.pods.size + 1 > room) lacking.push({ resource: "pods", requested: 1, used: info.pods.size, capacity: room });
  const names = Object.keys(incoming.requests);
  for (const resource of [...first.filter((n) => names.includes(n)), ...names.filter((n) => !first.includes(n))]) {
    const requested = incoming.requests[resource] ?? 0;
    const capacity = info.allocatable[resource] ?? 0;
    const used = info.requested[resource] ?? 0;
    if (requested > 0 && requested > capacity - used) lacking.push({ resource, requested, used, capacity });
  }
  return lacking;
}

function failure(plugin: string, resolvable: boolean, reason: string): Failure {
  return { plugin, reasons: [reason], resolvable };
}
