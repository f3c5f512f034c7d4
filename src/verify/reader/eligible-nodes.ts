import type { V1Node, V1NodeSelectorRequirement, V1PodSpec, V1Taint, V1Toleration } from "@kubernetes/client-node";
import type { Wire } from "../../embedded/api/object.ts";

/**
 * The nodes a DaemonSet with this Pod template spec should run a Pod on: its nodeName, nodeSelector, required node
 * affinity and tolerations agree with the node. The controller adds tolerations of its own for not-ready,
 * unreachable, unschedulable and pressure taints, so those don't count.
 * https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#how-daemon-pods-are-scheduled
 */
export function eligibleNodes(spec: Wire<V1PodSpec>, nodes: readonly Wire<V1Node>[]): Wire<V1Node>[] {
  return nodes.filter((node) => isEligible(spec, node));
}

export function isEligible(spec: Wire<V1PodSpec>, node: Wire<V1Node>): boolean {
  if (spec.nodeName && spec.nodeName !== node.metadata?.name) return false;
  if (!matchesSelector(spec.nodeSelector ?? {}, node)) return false;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (required !== undefined && !required.nodeSelectorTerms.some((term) => matchesTerm(term, node))) return false;
  return (node.spec?.taints ?? []).every(
    (taint) =>
      taint.effect === "PreferNoSchedule" ||
      toleratedByEveryDaemon(taint, spec.hostNetwork === true) ||
      (spec.tolerations ?? []).some((toleration) => tolerates(toleration, taint)),
  );
}

/** Does the object (a node, a Pod) carry every label of the selector? */
export function matchesSelector(
  selector: Record<string, string>,
  node: { metadata?: { labels?: Record<string, string> } },
): boolean {
  const labels = node.metadata?.labels ?? {};
  return Object.entries(selector).every(([key, value]) => labels[key] === value);
}

/** https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/#concepts */
export function tolerates(toleration: Wire<V1Toleration>, taint: Wire<V1Taint>): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  switch (toleration.operator ?? "Equal") {
    case "Exists":
      return true;
    case "Equal":
      return Boolean(toleration.key) && (toleration.value ?? "") === (taint.value ?? "");
    default:
      return false;
  }
}

function toleratedByEveryDaemon(taint: Wire<V1Taint>, hostNetwork: boolean): boolean {
  const name = taint.key.startsWith("node.kubernetes.io/") ? taint.key.slice("node.kubernetes.io/".length) : "";
  if (taint.effect === "NoExecute") return name === "not-ready" || name === "unreachable";
  const always = ["disk-pressure", "memory-pressure", "pid-pressure", "unschedulable"];
  return always.includes(name) || (hostNetwork && name === "network-unavailable");
}

interface Term {
  matchExpressions?: Wire<V1NodeSelectorRequirement>[];
  matchFields?: Wire<V1NodeSelectorRequirement>[];
}

/** Terms are ORed, what a term asks is ANDed, and an empty term matches nothing. */
function matchesTerm(term: Term, node: Wire<V1Node>): boolean {
  const { matchExpressions = [], matchFields = [] } = term;
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  const labels = node.metadata?.labels ?? {};
  return (
    matchExpressions.every((requirement) => meets(requirement, labels[requirement.key])) &&
    matchFields.every((r) => r.key === "metadata.name" && meets(r, node.metadata?.name))
  );
}

function meets({ operator, values = [] }: Wire<V1NodeSelectorRequirement>, label: string | undefined): boolean {
  switch (operator) {
    case "In":
      return label !== undefined && values.includes(label);
    case "NotIn":
      return label === undefined || !values.includes(label);
    case "Exists":
      return label !== undefined;
    case "DoesNotExist":
      return label === undefined;
    case "Gt":
    case "Lt": {
      const [ours, theirs] = [toInteger(label), toInteger(values[0])];
      if (ours === undefined || theirs === undefined) return false;
      return operator === "Gt" ? ours > theirs : ours < theirs;
    }
    default:
      return false;
  }
}

function toInteger(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : undefined;
}
