import type { V1DaemonSet, V1PodSpec } from "@kubernetes/client-node";
import type { KubeObject, Wire } from "../../api/object.ts";
import type { Node, Toleration } from "../../api/pod.ts";
import { matchesNodeAffinity } from "../../scheduler/filters/node-affinity.ts";
import { untoleratedTaint } from "../../scheduler/filters/taints.ts";

export type DaemonSet = KubeObject & Wire<V1DaemonSet>;
type PodSpec = Wire<V1PodSpec>;

/** What a node is to a DaemonSet. */
export interface Eligibility {
  /** A daemon belongs there: an eligible node. */
  shouldRun: boolean;
  /** A daemon that is there may stay: also on a node whose NoSchedule taint it does not tolerate. */
  shouldContinueRunning: boolean;
}

const never: Eligibility = { shouldRun: false, shouldContinueRunning: false };

/**
 * Whether a DaemonSet's Pod should run on a node
 * (https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#how-daemon-pods-are-scheduled).
 */
export function eligibility(daemonSet: DaemonSet, node: Node): Eligibility {
  const spec = daemonSet.spec!.template.spec!;
  if (spec.nodeName && spec.nodeName !== node.metadata.name) return never;
  if (!matchesNodeAffinity(spec, node)) return never;
  const tolerations = daemonTolerations(spec);
  const taints = node.spec?.taints;
  if (untoleratedTaint(taints, tolerations, ["NoExecute", "NoSchedule"]) === undefined) {
    return { shouldRun: true, shouldContinueRunning: true };
  }
  return {
    shouldRun: false,
    shouldContinueRunning: untoleratedTaint(taints, tolerations, ["NoExecute"]) === undefined,
  };
}

/** The template's tolerations and those that every daemon has, in the order the controller adds them. */
export function daemonTolerations(spec: PodSpec): Toleration[] {
  const tolerations = [...(spec.tolerations ?? [])];
  const add = (key: string, effect: string) => {
    const wanted = { key, operator: "Exists", effect };
    const same = tolerations.findIndex(
      (t) => t.key === key && t.effect === effect && t.operator === "Exists" && !t.value,
    );
    if (same < 0) tolerations.push(wanted);
    else tolerations[same] = wanted;
  };
  add("node.kubernetes.io/not-ready", "NoExecute");
  add("node.kubernetes.io/unreachable", "NoExecute");
  add("node.kubernetes.io/disk-pressure", "NoSchedule");
  add("node.kubernetes.io/memory-pressure", "NoSchedule");
  add("node.kubernetes.io/pid-pressure", "NoSchedule");
  add("node.kubernetes.io/unschedulable", "NoSchedule");
  if (spec.hostNetwork) add("node.kubernetes.io/network-unavailable", "NoSchedule");
  return tolerations;
}
