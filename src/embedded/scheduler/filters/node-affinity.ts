import type { V1NodeSelector, V1NodeSelectorTerm, V1PodSpec } from "@kubernetes/client-node";
import { matchesLabels, matchesRequirement } from "../../api/label-selector.ts";
import type { Wire } from "../../api/object.ts";
import type { Node } from "../../api/pod.ts";

type NodeSelector = Wire<V1NodeSelector>;
type NodeSelectorTerm = Wire<V1NodeSelectorTerm>;
type PodSpec = Wire<V1PodSpec>;

/**
 * Whether a node is one that a Pod asks for: nodeSelector and required node affinity both
 * (https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/).
 */
export function matchesNodeAffinity(spec: PodSpec, node: Node): boolean {
  if (spec.nodeSelector && !matchesLabels(spec.nodeSelector, node.metadata.labels)) return false;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return !required || matchesNodeSelector(required, node);
}

/** Terms are alternatives; an empty term matches nothing. */
export function matchesNodeSelector(selector: NodeSelector, node: Node): boolean {
  return (selector.nodeSelectorTerms ?? []).some((term) => matchesTerm(term, node));
}

export function matchesTerm(term: NodeSelectorTerm, node: Node): boolean {
  const expressions = term.matchExpressions ?? [];
  const fields = term.matchFields ?? [];
  if (expressions.length === 0 && fields.length === 0) return false;
  return (
    expressions.every((e) => matchesRequirement(e, node.metadata.labels ?? {})) &&
    fields.every((f) => matchesRequirement(f, { "metadata.name": node.metadata.name! }))
  );
}

/**
 * The only nodes that can come into question, when every term of the required affinity names them by
 * `matchFields: metadata.name` (as a DaemonSet's Pods do); undefined when any node can.
 */
export function namedNodes(spec: PodSpec): Set<string> | undefined {
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if (!terms?.length) return undefined;
  const names = new Set<string>();
  for (const term of terms) {
    const byName = (term.matchFields ?? []).filter((f) => f.key === "metadata.name" && f.operator === "In");
    if (byName.length === 0) return undefined;
    const [first, ...rest] = byName.map((f) => new Set(f.values ?? []));
    for (const name of first ?? []) if (rest.every((set) => set.has(name))) names.add(name);
  }
  return names;
}

/** The weights of the preferred terms that a node matches, summed. */
export function preferredAffinityWeight(spec: PodSpec, node: Node): number {
  return (spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [])
    .filter((p) => matchesTerm(p.preference, node))
    .reduce((sum, p) => sum + p.weight, 0);
}
