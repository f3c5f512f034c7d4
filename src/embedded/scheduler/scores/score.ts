import { matchesLabelSelector } from "../../api/label-selector.ts";
import { preferredAffinityWeight } from "../filters/node-affinity.ts";
import { termMatches } from "../filters/pod-affinity.ts";
import { intolerablePreferences } from "../filters/taints.ts";
import { countMatching, spreadConstraints, spreadSelector, topologyOf } from "../filters/topology-spread.ts";
import type { NodeInfo, PodInfo, Snapshot } from "../node-info.ts";

/**
 * Rates nodes for a Pod, higher is better, each plugin from 0 to 100 times its weight in the default profile
 * (https://kubernetes.io/docs/reference/scheduling/config/#scheduling-plugins).
 */
export function scoreNodes(incoming: PodInfo, nodes: readonly NodeInfo[], snapshot: Snapshot): number[] {
  const total = nodes.map((info) => leastAllocated(incoming, info) + balanced(incoming, info));
  const add = (weight: number, scores: number[]) => {
    for (const [i, score] of scores.entries()) total[i] = (total[i] ?? 0) + weight * score;
  };
  const { spec } = incoming.pod;
  const bad = nodes.map((i) => intolerablePreferences(i.node?.spec?.taints, spec?.tolerations));
  add(3, fewestBest(bad));
  add(2, mostBest(nodes.map((i) => preferredAffinityWeight(spec!, i.node!))));
  const spread = spreadCounts(incoming, nodes, snapshot);
  if (spread !== undefined) add(2, fewestBest(spread));
  const affinity = affinityScores(incoming, nodes, snapshot);
  if (affinity !== undefined) add(2, ranged(affinity));
  return total;
}

/** The requests that scoring takes for a container that asks for nothing. */
const assumed = { cpu: 100, memory: 200 * 1024 * 1024 };

function utilisation(incoming: PodInfo, info: NodeInfo, resource: "cpu" | "memory"): number {
  const capacity = info.allocatable[resource] ?? 0;
  if (capacity === 0) return 1;
  let used = (info.requested[resource] ?? 0) + (incoming.requests[resource] ?? assumed[resource]);
  for (const pod of info.pods.values()) if (!pod.requests[resource]) used += assumed[resource];
  return Math.min(1, used / capacity);
}

function leastAllocated(incoming: PodInfo, info: NodeInfo): number {
  const free = (r: "cpu" | "memory") => Math.floor((1 - utilisation(incoming, info, r)) * 100);
  return Math.floor((free("cpu") + free("memory")) / 2);
}

function balanced(incoming: PodInfo, info: NodeInfo): number {
  if (Object.keys(incoming.requests).length === 0) return 0;
  const difference = Math.abs(utilisation(incoming, info, "cpu") - utilisation(incoming, info, "memory")) / 2;
  return Math.floor((1 - difference) * 100);
}

/** How crowded each node's domains are with Pods of the same kind; undefined: nothing to spread by. */
function spreadCounts(incoming: PodInfo, nodes: readonly NodeInfo[], snapshot: Snapshot): number[] | undefined {
  const { pod } = incoming;
  const constraints = spreadConstraints(pod, "ScheduleAnyway");
  if (constraints.length === 0) {
    // The cluster's default constraints spread the Pods of one owner over the nodes.
    if (incoming.controller === undefined || pod.spec?.topologySpreadConstraints?.length) return undefined;
    return nodes.map((info) => {
      let count = 0;
      for (const other of info.pods.values()) {
        if (other.controller === incoming.controller && !other.pod.metadata.deletionTimestamp) count += 1;
      }
      return count;
    });
  }
  const sums = nodes.map(() => 0);
  for (const constraint of constraints) {
    const selector = spreadSelector(constraint, pod);
    const domains = new Map<string, number>();
    for (const info of snapshot.all()) {
      const domain = topologyOf(info, constraint);
      if (domain === undefined) continue;
      domains.set(domain, (domains.get(domain) ?? 0) + countMatching(info, selector, pod.metadata.namespace ?? ""));
    }
    const most = Math.max(0, ...domains.values());
    for (const [i, info] of nodes.entries()) {
      const domain = topologyOf(info, constraint);
      // A node outside every domain is the last choice.
      sums[i] = (sums[i] ?? 0) + (domain === undefined ? most + 1 : (domains.get(domain) ?? 0));
    }
  }
  return sums;
}

/** Preferred affinity both ways, and the hard affinity that Pods already there have to this one (weight 1). */
function affinityScores(incoming: PodInfo, nodes: readonly NodeInfo[], snapshot: Snapshot): number[] | undefined {
  const all = snapshot.all();
  if (incoming.preferred.length === 0 && all.every((info) => info.withAffinity === 0)) return undefined;
  const domains = new Map<string, number>();
  const note = (key: string, info: NodeInfo, weight: number) => {
    const value = info.node?.metadata.labels?.[key];
    if (value !== undefined) domains.set(`${key}=${value}`, (domains.get(`${key}=${value}`) ?? 0) + weight);
  };
  const { pod } = incoming;
  for (const info of all) {
    if (incoming.preferred.length === 0 && info.withAffinity === 0) continue;
    for (const other of info.pods.values()) {
      for (const { term, weight } of incoming.preferred) {
        if (termMatches(term, pod, other.pod, snapshot.namespaceLabels)) note(term.topologyKey, info, weight);
      }
      for (const { term, weight } of other.preferred) {
        if (termMatches(term, other.pod, pod, snapshot.namespaceLabels)) note(term.topologyKey, info, weight);
      }
      for (const term of other.affinity) {
        if (term.labelSelector && !matchesLabelSelector(term.labelSelector, pod.metadata.labels)) continue;
        if (termMatches(term, other.pod, pod, snapshot.namespaceLabels)) note(term.topologyKey, info, 1);
      }
    }
  }
  return nodes.map((info) =>
    Object.entries(info.node?.metadata.labels ?? {}).reduce((sum, [k, v]) => sum + (domains.get(`${k}=${v}`) ?? 0), 0),
  );
}

function mostBest(values: number[]): number[] {
  const most = Math.max(0, ...values);
  return values.map((v) => (most === 0 ? 0 : Math.floor((v * 100) / most)));
}

function fewestBest(values: number[]): number[] {
  const most = Math.max(0, ...values);
  return values.map((v) => (most === 0 ? 100 : Math.floor(((most - v) * 100) / most)));
}

function ranged(values: number[]): number[] {
  const least = Math.min(...values);
  const most = Math.max(...values);
  return values.map((v) => (most === least ? 0 : Math.floor(((v - least) * 100) / (most - least))));
}
