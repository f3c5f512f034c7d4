import type { V1LabelSelector, V1TopologySpreadConstraint } from "@kubernetes/client-node";
import { matchesLabelSelector } from "../../api/label-selector.ts";
import type { Wire } from "../../api/object.ts";
import type { Pod } from "../../api/pod.ts";
import type { NodeInfo, PodInfo, Snapshot } from "../node-info.ts";
import type { Filter } from "./filter.ts";
import { matchesNodeAffinity } from "./node-affinity.ts";
import { untoleratedTaint } from "./taints.ts";

export type SpreadConstraint = Wire<V1TopologySpreadConstraint>;

/** The constraints of a Pod that are a must (`DoNotSchedule`) or a wish (`ScheduleAnyway`). */
export function spreadConstraints(pod: Pod, when: "DoNotSchedule" | "ScheduleAnyway"): SpreadConstraint[] {
  return (pod.spec?.topologySpreadConstraints ?? []).filter((c) => c.whenUnsatisfiable === when);
}

/** The selector of a constraint, narrowed by the Pod's own values of its matchLabelKeys (KEP-3243). */
export function spreadSelector(constraint: SpreadConstraint, pod: Pod): Wire<V1LabelSelector> | undefined {
  const keys = constraint.matchLabelKeys ?? [];
  if (keys.length === 0) return constraint.labelSelector;
  const more = keys.flatMap((key) => {
    const value = pod.metadata.labels?.[key];
    return value === undefined ? [] : [{ key, operator: "In", values: [value] }];
  });
  return {
    ...constraint.labelSelector,
    matchExpressions: [...(constraint.labelSelector?.matchExpressions ?? []), ...more],
  };
}

/** How many Pods of the namespace the selector finds on a node; those being deleted do not count. */
export function countMatching(info: NodeInfo, selector: Wire<V1LabelSelector> | undefined, namespace: string): number {
  let count = 0;
  for (const { pod } of info.pods.values()) {
    if (pod.metadata.deletionTimestamp || pod.metadata.namespace !== namespace) continue;
    if (matchesLabelSelector(selector, pod.metadata.labels)) count += 1;
  }
  return count;
}

/** Whether a node takes part in a constraint (nodeAffinityPolicy, nodeTaintsPolicy). */
export function takesPart(constraint: SpreadConstraint, pod: Pod, info: NodeInfo): boolean {
  if (constraint.nodeAffinityPolicy !== "Ignore" && !matchesNodeAffinity(pod.spec!, info.node!)) return false;
  return (
    constraint.nodeTaintsPolicy !== "Honor" ||
    !untoleratedTaint(info.node?.spec?.taints, pod.spec?.tolerations, ["NoSchedule", "NoExecute"])
  );
}

/** PodTopologySpread: no domain may be fuller than the emptiest by more than maxSkew. */
export function topologySpreadFilter(incoming: PodInfo, snapshot: Snapshot): Filter | undefined {
  const { pod } = incoming;
  const constraints = spreadConstraints(pod, "DoNotSchedule");
  if (constraints.length === 0) return undefined;
  const namespace = pod.metadata.namespace ?? "";
  const nodes = snapshot.all().filter((info) => constraints.every((c) => topologyOf(info, c) !== undefined));
  const states = constraints.map((constraint) => {
    const selector = spreadSelector(constraint, pod);
    const domains = new Map<string, number>();
    for (const info of nodes) {
      if (!takesPart(constraint, pod, info)) continue;
      const domain = topologyOf(info, constraint)!;
      domains.set(domain, (domains.get(domain) ?? 0) + countMatching(info, selector, namespace));
    }
    const fewest = domains.size < (constraint.minDomains ?? 1) ? 0 : Math.min(...domains.values());
    const self = matchesLabelSelector(selector, pod.metadata.labels) ? 1 : 0;
    return { constraint, domains, fewest: Number.isFinite(fewest) ? fewest : 0, self };
  });
  return (info) => {
    for (const { constraint, domains, fewest, self } of states) {
      const domain = topologyOf(info, constraint);
      if (domain === undefined) {
        const reason = "node(s) didn't match pod topology spread constraints (missing required label)";
        return { plugin: "PodTopologySpread", reasons: [reason], resolvable: false };
      }
      if ((domains.get(domain) ?? 0) + self - fewest > constraint.maxSkew) {
        const reason = "node(s) didn't match pod topology spread constraints";
        return { plugin: "PodTopologySpread", reasons: [reason], resolvable: true };
      }
    }
    return undefined;
  };
}

export function topologyOf(info: NodeInfo, constraint: SpreadConstraint): string | undefined {
  return info.node?.metadata.labels?.[constraint.topologyKey];
}
