import type { Pod } from "../../api/pod.ts";
import { isPodReady } from "../../api/pod.ts";
import type { ControllerContext } from "../framework/controller.ts";
import type { PodControl } from "../pods/pod-control.ts";
import { deletionOrder } from "../replicaset/deletion-order.ts";
import { releasePod } from "./accounting.ts";
import { finishedAt, remainingDelay } from "./backoff.ts";
import { firstPending, indexOf } from "./indexes.ts";
import { isIndexed, isPodTerminating, isSuspended, isTracked } from "./job.ts";
import { allIndexFailures, jobPod } from "./job-pod.ts";
import type { Round } from "./round.ts";

/** As many Pods a sync makes or deletes at most. */
const burst = 500;

/** What is left to do later, and how many Pods are at work afterwards. */
export interface Managed {
  active: number;
  /** Milliseconds until Pods may be made again. */
  wait?: number;
  error?: unknown;
}

/** Makes as many Pods as a Job still wants, or deletes those it has too many. */
export function managePods(context: ControllerContext, control: PodControl, round: Round): Managed {
  const { job, active } = round;
  if (isSuspended(job)) return remove(context, control, round, surplus(round, active.length));
  const wanted = wantedPods(round);
  const tooMany = surplus(round, Math.max(0, active.length - wanted)).slice(0, burst);
  if (tooMany.length > 0) return remove(context, control, round, tooMany);
  const onlyFailed = job.spec?.podReplacementPolicy === "Failed";
  const missing = Math.min(wanted - active.length - (onlyFailed ? round.terminating : 0), burst);
  if (missing <= 0) return { active: active.length };
  const perIndex = job.spec?.backoffLimitPerIndex !== undefined;
  const delay = perIndex ? 0 : remainingDelay(round.record, round.now);
  if (delay > 0) return { active: 0, wait: delay };
  if (!isIndexed(job)) return make(control, round, Array(missing).fill(jobPod(job)));
  const pending = firstPending(missing, job.spec?.completions ?? 0, takenIndexes(round, onlyFailed));
  const delays = pending.map((index) => indexDelay(round, index));
  const now = pending.filter((_, i) => delays[i] === 0);
  if (pending.length > 0 && now.length === 0) return { active: 0, wait: Math.min(...delays) };
  const replaced = (index: number) => round.awaitingReplacement.get(index);
  return make(
    control,
    round,
    now.map((index) => jobPod(job, index, replaced(index))),
  );
}

/** Deletes Pods of a Job that is over; their finalizers go when they are counted. */
export function deleteActivePods(control: PodControl, round: Round): void {
  for (const pod of round.active) control.delete(round.job, pod);
}

function wantedPods({ job, active, succeeded }: Round): number {
  const { parallelism = 1, completions } = job.spec!;
  // Without a number of completions any success ends the Job: nothing new is begun after it.
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}

function takenIndexes({ job, active, pods, succeededIndexes, failedIndexes }: Round, withTerminating: boolean) {
  const taken = new Set([...succeededIndexes, ...(failedIndexes ?? [])]);
  const at = withTerminating ? [...active, ...pods.filter(isPodTerminating)] : active;
  for (const pod of at) {
    const index = indexOf(pod, job);
    if (index !== undefined) taken.add(index);
  }
  return taken;
}

function indexDelay({ awaitingReplacement, now }: Round, index: number): number {
  const failed = awaitingReplacement.get(index);
  if (failed === undefined) return 0;
  return remainingDelay({ failures: allIndexFailures(failed) + 1, lastFailure: finishedAt(failed) }, now);
}

function make(control: PodControl, { job, active }: Round, bodies: unknown[]): Managed {
  const { created, error } = control.createSome(job, bodies);
  return { active: active.length + created, ...(error === undefined ? {} : { error }) };
}

function remove(context: ControllerContext, control: PodControl, round: Round, pods: readonly Pod[]): Managed {
  for (const pod of pods) {
    if (isTracked(pod)) releasePod(context, pod);
    control.delete(round.job, pod);
    round.terminating += 1;
    if (isPodReady(pod)) round.ready -= 1;
  }
  return { active: round.active.length - pods.length };
}

/** Of active Pods those to give up: without a valid index or with one that another has too, then the least far ones. */
function surplus({ job, active }: Round, atLeast: number): Pod[] {
  const ordered = deletionOrder(active);
  if (!isIndexed(job)) return ordered.slice(0, atLeast);
  const kept = new Map<number, Pod>();
  for (const pod of ordered) {
    const index = indexOf(pod, job);
    if (index !== undefined) kept.set(index, pod);
  }
  const needless = ordered.filter((pod) => kept.get(indexOf(pod, job) ?? -1) !== pod);
  const rest = ordered.filter((pod) => !needless.includes(pod));
  return [...needless, ...rest.slice(0, Math.max(0, atLeast - needless.length))];
}
