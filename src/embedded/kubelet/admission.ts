import { isPodTerminal, type Node, type Pod } from "../api/pod.ts";
import { matchesNodeAffinity } from "../scheduler/filters/node-affinity.ts";
import { insufficientResources } from "../scheduler/filters/node-fit.ts";
import { untoleratedTaint } from "../scheduler/filters/taints.ts";
import { NodeInfo, PodInfo } from "../scheduler/node-info.ts";

/**
 * Whether a kubelet takes a Pod that someone bound to its node without the scheduler: it checks resources, affinity
 * and NoExecute taints again and fails the Pod otherwise (pkg/kubelet/lifecycle/predicate.go).
 * @param others the Pods already on the node
 */
export function admitPod(
  pod: Pod,
  node: Node,
  others: readonly Pod[],
): { reason: string; message: string } | undefined {
  if (pod.status?.startTime || isPodTerminal(pod)) return undefined;
  const info = new NodeInfo(node.metadata.name!);
  info.node = node;
  for (const other of others) {
    // Pods that came later have to find room beside this one, not the other way round.
    if (other.metadata.uid === pod.metadata.uid || isPodTerminal(other) || !other.status?.startTime) continue;
    info.add(new PodInfo(other));
  }
  const [lacking] = insufficientResources(new PodInfo(pod), info);
  if (lacking) {
    const { resource, requested, used, capacity } = lacking;
    const message = `Pod was rejected: Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`;
    return { reason: `OutOf${resource}`, message };
  }
  if (!matchesNodeAffinity(pod.spec!, node)) {
    const message =
      "Pod was rejected: Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector";
    return { reason: "NodeAffinity", message };
  }
  if (untoleratedTaint(node.spec?.taints, pod.spec?.tolerations, ["NoExecute"])) {
    const message =
      "Pod was rejected: Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate";
    return { reason: "TaintToleration", message };
  }
  return undefined;
}
