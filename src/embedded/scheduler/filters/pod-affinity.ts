import type { V1LabelSelector } from "@kubernetes/client-node";
import { type Labels, matchesLabelSelector } from "../../api/label-selector.ts";
import type { Wire } from "../../api/object.ts";
import type { Pod } from "../../api/pod.ts";
import type { AffinityTerm, NodeInfo, PodInfo, Snapshot } from "../node-info.ts";
import type { Filter } from "./filter.ts";

/** Whether `pod` is one that a term of `owner` speaks of: namespaces and labels, with matchLabelKeys (KEP-3633). */
export function termMatches(
  term: AffinityTerm,
  owner: Pod,
  pod: Pod,
  namespaceLabels: (ns: string) => Labels,
): boolean {
  const namespace = pod.metadata.namespace ?? "";
  const listed = term.namespaces ?? [];
  const named =
    listed.length === 0 && !term.namespaceSelector
      ? namespace === owner.metadata.namespace
      : listed.includes(namespace) ||
        (!!term.namespaceSelector && matchesLabelSelector(term.namespaceSelector, namespaceLabels(namespace)));
  return named && matchesLabelSelector(withLabelKeys(term, owner), pod.metadata.labels);
}

function withLabelKeys(term: AffinityTerm, owner: Pod): Wire<V1LabelSelector> | undefined {
  if (!term.labelSelector || (!term.matchLabelKeys?.length && !term.mismatchLabelKeys?.length)) {
    return term.labelSelector;
  }
  const requirement = (operator: string) => (key: string) => {
    const value = owner.metadata.labels?.[key];
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  };
  const more = [
    ...(term.matchLabelKeys ?? []).flatMap(requirement("In")),
    ...(term.mismatchLabelKeys ?? []).flatMap(requirement("NotIn")),
  ];
  return { ...term.labelSelector, matchExpressions: [...(term.labelSelector.matchExpressions ?? []), ...more] };
}

const unresolvable = (reason: string) => ({ plugin: "InterPodAffinity", reasons: [reason], resolvable: false });
const resolvable = (reason: string) => ({ plugin: "InterPodAffinity", reasons: [reason], resolvable: true });

/** InterPodAffinity: required affinity and anti-affinity of the Pod, and the anti-affinity of those already there. */
export function podAffinityFilter(incoming: PodInfo, snapshot: Snapshot): Filter | undefined {
  const { pod } = incoming;
  const nodes = snapshot.all();
  const wanted = counts(incoming.affinity);
  const unwanted = counts(incoming.antiAffinity);
  const forbidden = new Set<string>();
  for (const info of nodes) {
    if (incoming.affinity.length === 0 && incoming.antiAffinity.length === 0 && info.withAntiAffinity === 0) continue;
    const labels = info.node?.metadata.labels ?? {};
    for (const existing of info.pods.values()) {
      for (const term of existing.antiAffinity) {
        const value = labels[term.topologyKey];
        if (value === undefined || !termMatches(term, existing.pod, pod, snapshot.namespaceLabels)) continue;
        forbidden.add(`${term.topologyKey}=${value}`);
      }
      // A Pod counts only if it matches all terms, so that they are about the same Pods.
      if (incoming.affinity.length > 0 && matchesAll(incoming.affinity, pod, existing.pod, snapshot)) {
        for (const { term, places } of wanted) note(places, labels[term.topologyKey]);
      }
      for (const { term, places } of unwanted) {
        if (termMatches(term, pod, existing.pod, snapshot.namespaceLabels)) note(places, labels[term.topologyKey]);
      }
    }
  }
  if (incoming.affinity.length === 0 && incoming.antiAffinity.length === 0 && forbidden.size === 0) return undefined;
  const nobody = wanted.every(({ places }) => places.size === 0);
  // The first of a group of Pods that want to be together would never find a place otherwise.
  const first = nobody && incoming.affinity.length > 0 && matchesAll(incoming.affinity, pod, pod, snapshot);
  return (info: NodeInfo) => {
    const labels = info.node?.metadata.labels ?? {};
    for (const { term, places } of wanted) {
      const value = labels[term.topologyKey];
      if (value === undefined || (!places.has(value) && !first)) {
        return unresolvable("node(s) didn't match pod affinity rules");
      }
    }
    for (const { term, places } of unwanted) {
      const value = labels[term.topologyKey];
      if (value !== undefined && places.has(value)) return resolvable("node(s) didn't match pod anti-affinity rules");
    }
    for (const [key, value] of Object.entries(labels)) {
      if (forbidden.has(`${key}=${value}`)) {
        return resolvable("node(s) didn't satisfy existing pods anti-affinity rules");
      }
    }
    return undefined;
  };
}

function counts(terms: AffinityTerm[]) {
  return terms.map((term) => ({ term, places: new Set<string>() }));
}

function note(places: Set<string>, value: string | undefined): void {
  if (value !== undefined) places.add(value);
}

function matchesAll(terms: AffinityTerm[], owner: Pod, pod: Pod, snapshot: Snapshot): boolean {
  return terms.every((term) => termMatches(term, owner, pod, snapshot.namespaceLabels));
}
