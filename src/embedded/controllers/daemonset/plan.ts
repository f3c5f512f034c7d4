import { getScaledValueFromIntOrPercent } from "../../api/int-or-string.ts";
import { isPodReady, isPodTerminal, type Node, type Pod } from "../../api/pod.ts";
import { isUpdated, targetNode } from "./daemon-pod.ts";
import { type DaemonSet, eligibility } from "./eligibility.ts";

/** What is to be done now: nodes that get a daemon, daemons that go. */
export interface Plan {
  create: string[];
  remove: Pod[];
  /** Daemons that ended and are replaced; told as events. */
  ended: Pod[];
}

export type PodsByNode = ReadonlyMap<string, readonly Pod[]>;

/** The DaemonSet's Pods by the node they are on or meant for; those that are ended and going are left out on request. */
export function podsByNode(pods: readonly Pod[], withEnded: boolean): Map<string, Pod[]> {
  const found = new Map<string, Pod[]>();
  for (const pod of pods) {
    if (!withEnded && pod.metadata.deletionTimestamp !== undefined && isPodTerminal(pod)) continue;
    const node = targetNode(pod);
    if (node === undefined) continue;
    const there = found.get(node);
    if (there === undefined) found.set(node, [pod]);
    else there.push(pod);
  }
  return found;
}

export interface PlanInput {
  daemonSet: DaemonSet;
  nodes: readonly Node[];
  pods: PodsByNode;
  hash: string;
  now: number;
  /** Whether a failed daemon on this node may be replaced now (failed Pods are backed off from). */
  mayReplace(node: string): boolean;
}

/** Daemons missing from eligible nodes, and daemons where none should be, too many, or ended. */
export function planCoverage({ daemonSet, nodes, pods, hash, now, mayReplace }: PlanInput): Plan {
  const plan: Plan = { create: [], remove: [], ended: [] };
  for (const node of nodes) {
    const name = node.metadata.name!;
    const { shouldRun, shouldContinueRunning } = eligibility(daemonSet, node);
    const there = pods.get(name);
    if (shouldRun && there === undefined) {
      plan.create.push(name);
      continue;
    }
    if (there === undefined) continue;
    const staying = there.filter((pod) => pod.metadata.deletionTimestamp === undefined);
    if (!shouldContinueRunning) {
      plan.remove.push(...staying);
      continue;
    }
    const running: Pod[] = [];
    for (const pod of staying) {
      if (!isPodTerminal(pod)) running.push(pod);
      else if (pod.status?.phase === "Succeeded" || mayReplace(name)) plan.ended.push(pod);
    }
    plan.remove.push(...superfluous(running, daemonSet, hash, now));
  }
  const known = new Set(nodes.map((node) => node.metadata.name));
  for (const [name, there] of pods) {
    // A daemon that waits for a node that is gone would wait for ever.
    if (!known.has(name))
      plan.remove.push(...there.filter((p) => !p.spec?.nodeName && p.metadata.deletionTimestamp === undefined));
  }
  return plan;
}

/** One daemon a node; with surge, an old one beside a new one that is not yet available. */
function superfluous(running: Pod[], daemonSet: DaemonSet, hash: string, now: number): Pod[] {
  if (running.length <= 1) return [];
  const oldestFirst = [...running].sort(byAge);
  if (!allowsSurge(daemonSet)) return oldestFirst.slice(1);
  const fresh = oldestFirst.filter((pod) => pod.metadata.labels?.["controller-revision-hash"] === hash);
  const old = oldestFirst.filter((pod) => !fresh.includes(pod));
  const going = [...fresh.slice(1), ...old.slice(1)];
  const [newPod, oldPod] = [fresh[0], old[0]];
  if (newPod && oldPod && (!isPodReady(oldPod) || isAvailable(newPod, daemonSet, now))) going.push(oldPod);
  return going;
}

/** The next step of a rolling update: old daemons to take away, nodes to surge onto. */
export function planRollingUpdate({ daemonSet, nodes, pods, hash, now }: PlanInput): Plan {
  const desired = nodes.filter((node) => eligibility(daemonSet, node).shouldRun);
  const { maxSurge, maxUnavailable } = limits(daemonSet, desired.length);
  const all = new Map<string, readonly Pod[]>(pods);
  for (const node of desired) if (!all.has(node.metadata.name!)) all.set(node.metadata.name!, []);
  const plan: Plan = { create: [], remove: [], ended: [] };
  const unavailableOld: Pod[] = [];
  const candidates: Pod[] = [];
  const allowedNodes: string[] = [];
  const candidateNodes: string[] = [];
  let unavailable = 0;
  let surging = 0;
  for (const [name, there] of all) {
    const pair = versions(there, daemonSet, hash);
    if (maxSurge === 0) {
      if (pair === undefined || (pair.old === undefined) === (pair.fresh === undefined)) unavailable += 1;
      else if (pair.fresh !== undefined) {
        if (!isAvailable(pair.fresh, daemonSet, now)) unavailable += 1;
      } else if (!isAvailable(pair.old!, daemonSet, now)) {
        unavailableOld.push(pair.old!);
        unavailable += 1;
      } else candidates.push(pair.old!);
    } else if (pair === undefined) surging += 1;
    else if (pair.old === undefined) continue;
    else if (pair.fresh === undefined) {
      if (isAvailable(pair.old, daemonSet, now)) candidateNodes.push(name);
      else allowedNodes.push(name);
    } else if (isAvailable(pair.fresh, daemonSet, now)) plan.remove.push(pair.old);
    else surging += 1;
  }
  if (maxSurge === 0)
    plan.remove.push(...unavailableOld, ...candidates.slice(0, Math.max(0, maxUnavailable - unavailable)));
  else plan.create.push(...allowedNodes, ...candidateNodes.slice(0, Math.max(0, maxSurge - surging)));
  return plan;
}

/** The new and the old daemon of a node; undefined where there are two of a kind and coverage must clear up first. */
function versions(there: readonly Pod[], daemonSet: DaemonSet, hash: string): { fresh?: Pod; old?: Pod } | undefined {
  const pair: { fresh?: Pod; old?: Pod } = {};
  for (const pod of there) {
    if (pod.metadata.deletionTimestamp !== undefined) continue;
    const which = isUpdated(pod, daemonSet, hash) ? "fresh" : "old";
    if (pair[which] !== undefined) return undefined;
    pair[which] = pod;
  }
  return pair;
}

function limits(daemonSet: DaemonSet, desired: number): { maxSurge: number; maxUnavailable: number } {
  const rolling = daemonSet.spec!.updateStrategy?.rollingUpdate;
  const scaled = (value: unknown) => getScaledValueFromIntOrPercent((value ?? 0) as number | string, desired, true);
  const maxSurge = scaled(rolling?.maxSurge);
  const maxUnavailable = scaled(rolling?.maxUnavailable);
  // Both may round down to nothing on a small cluster; the update must get on.
  return maxSurge === 0 && maxUnavailable === 0 ? { maxSurge, maxUnavailable: 1 } : { maxSurge, maxUnavailable };
}

function allowsSurge(daemonSet: DaemonSet): boolean {
  const { type, rollingUpdate } = daemonSet.spec!.updateStrategy ?? {};
  const surge = rollingUpdate?.maxSurge as number | string | undefined;
  return type === "RollingUpdate" && surge !== undefined && surge !== 0 && surge !== "0%" && surge !== "0";
}

/** Ready for at least minReadySeconds. */
export function isAvailable(pod: Pod, daemonSet: DaemonSet, now: number): boolean {
  const ready = pod.status?.conditions?.find((c) => c.type === "Ready");
  if (ready?.status !== "True") return false;
  const seconds = daemonSet.spec!.minReadySeconds ?? 0;
  return seconds === 0 || Date.parse(String(ready.lastTransitionTime)) + seconds * 1000 <= now;
}

/** The oldest first; of Pods of the same second the one that is on its node. */
export function byAge(a: Pod, b: Pod): number {
  const age = Date.parse(String(a.metadata.creationTimestamp)) - Date.parse(String(b.metadata.creationTimestamp));
  if (age !== 0) return age;
  const assigned = Number(!a.spec?.nodeName) - Number(!b.spec?.nodeName);
  return assigned !== 0 ? assigned : (a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1;
}
