import type { Failure, Filter } from "./filters/filter.ts";
import { namedNodes } from "./filters/node-affinity.ts";
import { nodeFilters } from "./filters/node-fit.ts";
import { podAffinityFilter } from "./filters/pod-affinity.ts";
import { topologySpreadFilter } from "./filters/topology-spread.ts";
import type { NodeInfo, PodInfo, Snapshot } from "./node-info.ts";
import { scoreNodes } from "./scores/score.ts";

/** The node that was found, or why each node was refused. */
export type Search = { node: NodeInfo } | { failures: Map<string, Failure> };

/** All filters for a Pod in one snapshot, as one. */
export function filterFor(incoming: PodInfo, snapshot: Snapshot, volumes?: Filter): Filter {
  const filters = nodeFilters(incoming);
  if (volumes) filters.push(volumes);
  const spread = topologySpreadFilter(incoming, snapshot);
  if (spread) filters.push(spread);
  const affinity = podAffinityFilter(incoming, snapshot);
  if (affinity) filters.push(affinity);
  return (info) => {
    for (const filter of filters) {
      const failure = filter(info);
      if (failure) return failure;
    }
    return undefined;
  };
}

/**
 * Finds the best node for a Pod.
 * @param start where in the list of nodes to begin looking, so that in a large cluster all get their turn
 * @param nominated Pods that were promised room on a node and are at least as important
 */
export function findNode(
  incoming: PodInfo,
  snapshot: Snapshot,
  options: { volumes?: Filter; start?: number; nominated?: (node: string) => PodInfo[] } = {},
): Search {
  const nodes = snapshot.all();
  const named = namedNodes(incoming.pod.spec!);
  const passes = filterFor(incoming, snapshot, options.volumes);
  const failures = new Map<string, Failure>();
  const feasible: NodeInfo[] = [];
  // Daemons' Pods name their node: no need to look at all the others.
  const [name] = named ?? [];
  const one = named?.size === 1 ? snapshot.get(name!) : undefined;
  if (one?.node && !withNominated(incoming, one, snapshot, options) && !passes(one)) return { node: one };
  const enough = feasibleNodesToFind(nodes.length);
  for (let i = 0; i < nodes.length && feasible.length < enough; i++) {
    const info = nodes[((options.start ?? 0) + i) % nodes.length]!;
    if (named && !named.has(info.name)) {
      failures.set(info.name, notNamed);
      continue;
    }
    const failure = withNominated(incoming, info, snapshot, options) ?? passes(info);
    if (failure) failures.set(info.name, failure);
    else feasible.push(info);
  }
  const [only] = feasible;
  if (only === undefined) return { failures };
  if (feasible.length === 1) return { node: only };
  const scores = scoreNodes(incoming, feasible, snapshot);
  let best = 0;
  for (const [i, score] of scores.entries()) if (score > scores[best]!) best = i;
  return { node: feasible[best]! };
}

const notNamed: Failure = {
  plugin: "NodeAffinity",
  reasons: ["node(s) didn't satisfy plugin(s) [NodeAffinity]"],
  resolvable: false,
};

function withNominated(
  incoming: PodInfo,
  info: NodeInfo,
  snapshot: Snapshot,
  options: { volumes?: Filter; nominated?: (node: string) => PodInfo[] },
): Failure | undefined {
  const promised = (options.nominated?.(info.name) ?? []).filter((p) => p.key !== incoming.key);
  if (promised.length === 0) return undefined;
  const trial = info.clone();
  for (const pod of promised) trial.add(pod);
  return filterFor(incoming, snapshot.with(trial), options.volumes)(trial);
}

/** In a large cluster the search ends early: half of the nodes, less as there are more, at least 5 % and 100. */
export function feasibleNodesToFind(nodes: number): number {
  if (nodes < 100) return nodes;
  const percentage = Math.max(5, 50 - Math.floor(nodes / 125));
  return Math.max(100, Math.floor((nodes * percentage) / 100));
}
