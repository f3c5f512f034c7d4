import type { V1PodDisruptionBudget } from "@kubernetes/client-node";
import { matchesLabelSelector } from "../../api/label-selector.ts";
import type { KubeObject, Wire } from "../../api/object.ts";
import type { Failure } from "../filters/filter.ts";
import { fitMessage } from "../fit-message.ts";
import type { NodeInfo, PodInfo, Snapshot } from "../node-info.ts";

export type DisruptionBudget = KubeObject & Wire<V1PodDisruptionBudget>;

/** A node that would take the Pod once its victims are gone. */
export interface Candidate {
  node: string;
  victims: PodInfo[];
  /** How many of the victims a disruption budget protects. */
  violations: number;
}

export type PreemptionResult = { candidate: Candidate } | { message: string };

/**
 * Looks for the node where making room for a Pod of higher priority does the least harm
 * (https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/).
 * @param failures why each node does not take the Pod as it is; nodes without an entry were never considered
 * @param fits whether the Pod fits a node in a snapshot where some Pods are gone
 */
export function findPreemption(
  incoming: PodInfo,
  snapshot: Snapshot,
  failures: ReadonlyMap<string, Failure>,
  budgets: readonly DisruptionBudget[],
  fits: (trial: NodeInfo, snapshot: Snapshot) => boolean,
): PreemptionResult {
  const nodes = snapshot.all();
  const refused = ineligible(incoming, snapshot, failures);
  if (refused !== undefined) return { message: `preemption: ${refused}` };
  const candidates: Candidate[] = [];
  const why: Failure[] = [];
  for (const info of nodes) {
    if (!failures.get(info.name)?.resolvable) {
      why.push(reason("Preemption is not helpful for scheduling"));
      continue;
    }
    const lower = [...info.pods.values()].filter((p) => p.priority < incoming.priority);
    const found = lower.length === 0 ? undefined : selectVictims(info, lower, snapshot, budgets, fits);
    if (found !== undefined) candidates.push(found);
    else
      why.push(
        reason(lower.length === 0 ? "No preemption victims found for incoming pod" : stillFails(info, failures)),
      );
  }
  const candidate = leastHarm(candidates);
  if (candidate !== undefined) return { candidate };
  return { message: `preemption: ${fitMessage(nodes.length, why)}` };
}

function ineligible(incoming: PodInfo, snapshot: Snapshot, failures: ReadonlyMap<string, Failure>): string | undefined {
  const { spec, status } = incoming.pod;
  if (spec?.preemptionPolicy === "Never") return "not eligible due to preemptionPolicy=Never.";
  const nominated = status?.nominatedNodeName;
  if (!nominated || failures.get(nominated)?.resolvable === false) return undefined;
  const leaving = [...(snapshot.get(nominated)?.pods.values() ?? [])].some(
    (p) => p.pod.metadata.deletionTimestamp && p.priority < incoming.priority,
  );
  return leaving ? "not eligible due to a terminating pod on the nominated node." : undefined;
}

function selectVictims(
  info: NodeInfo,
  lower: PodInfo[],
  snapshot: Snapshot,
  budgets: readonly DisruptionBudget[],
  fits: (trial: NodeInfo, snapshot: Snapshot) => boolean,
): Candidate | undefined {
  const trial = info.clone();
  for (const pod of lower) trial.remove(pod.key);
  if (!fits(trial, snapshot.with(trial))) return undefined;
  const { protectedPods, others } = byBudget(lower, budgets);
  const victims: PodInfo[] = [];
  let violations = 0;
  // Spare the most important first, and those under a budget before the rest.
  for (const [pods, counted] of [
    [protectedPods, true],
    [others, false],
  ] as const) {
    for (const pod of [...pods].sort(moreImportant)) {
      trial.add(pod);
      if (fits(trial, snapshot.with(trial))) continue;
      trial.remove(pod.key);
      victims.push(pod);
      if (counted) violations += 1;
    }
  }
  return { node: info.name, victims: victims.sort(moreImportant), violations };
}

/** Pods whose eviction a budget does not allow any more, counting those evicted before them. */
function byBudget(pods: PodInfo[], budgets: readonly DisruptionBudget[]) {
  const allowed = new Map(budgets.map((b) => [b, b.status?.disruptionsAllowed ?? 0]));
  const protectedPods: PodInfo[] = [];
  const others: PodInfo[] = [];
  for (const info of [...pods].sort(moreImportant)) {
    let violates = false;
    for (const budget of budgets) {
      const { metadata } = info.pod;
      if (budget.metadata.namespace !== metadata.namespace || !budget.spec?.selector) continue;
      if (!matchesLabelSelector(budget.spec.selector, metadata.labels)) continue;
      if (budget.status?.disruptedPods?.[metadata.name!]) continue;
      const left = (allowed.get(budget) ?? 0) - 1;
      allowed.set(budget, left);
      if (left < 0) violates = true;
    }
    (violates ? protectedPods : others).push(info);
  }
  return { protectedPods, others };
}

/** Fewest violations, lowest highest priority, smallest sum, fewest victims, latest start (pickOneNodeForPreemption). */
function leastHarm(candidates: Candidate[]): Candidate | undefined {
  const highest = (c: Candidate) => Math.max(...c.victims.map((v) => v.priority), Number.NEGATIVE_INFINITY);
  const sum = (c: Candidate) => c.victims.reduce((s, v) => s + v.priority + 2 ** 31, 0);
  const earliest = (c: Candidate) =>
    Math.min(...c.victims.filter((v) => v.priority === highest(c)).map((v) => startOf(v)));
  return [...candidates].sort(
    (a, b) =>
      a.violations - b.violations ||
      highest(a) - highest(b) ||
      sum(a) - sum(b) ||
      a.victims.length - b.victims.length ||
      earliest(b) - earliest(a),
  )[0];
}

function moreImportant(a: PodInfo, b: PodInfo): number {
  return b.priority - a.priority || startOf(a) - startOf(b);
}

function startOf(info: PodInfo): number {
  return Date.parse(info.pod.status?.startTime ?? info.pod.metadata.creationTimestamp ?? "") || 0;
}

function stillFails(info: NodeInfo, failures: ReadonlyMap<string, Failure>): string {
  return failures.get(info.name)?.reasons[0] ?? "No preemption victims found for incoming pod";
}

function reason(text: string): Failure {
  return { plugin: "DefaultPreemption", reasons: [text], resolvable: false };
}
