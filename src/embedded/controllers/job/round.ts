import { copy } from "../../api/object.ts";
import { isPodReady, isPodTerminal, type Pod } from "../../api/pod.ts";
import { isActive } from "../replicaset/owned-pods.ts";
import { type FailureRecord, finishedAt, recordWith } from "./backoff.ts";
import { indexOf, parseIndexes } from "./indexes.ts";
import {
  isIndexed,
  isPodFailed,
  isPodTerminating,
  isTracked,
  type Job,
  type JobCondition,
  type JobStatus,
} from "./job.ts";
import { allIndexFailures, indexFailures } from "./job-pod.ts";
import { judgeFailure } from "./pod-failure-policy.ts";

/** What one sync of a Job works with. The status is the one that will be written. */
export interface Round {
  job: Job;
  status: JobStatus;
  pods: Pod[];
  active: Pod[];
  ready: number;
  terminating: number;
  /** With Pods that have ended and are not in the status yet. */
  succeeded: number;
  failed: number;
  record: FailureRecord;
  /** Of indexed Jobs: those in the status, and those with the Pods that have ended since. */
  previousIndexes: Set<number>;
  succeededIndexes: Set<number>;
  /** With a limit for each index. */
  failedIndexes: Set<number> | undefined;
  /** Failed Pods that stay until their index has a new one, which takes over their count. */
  awaitingReplacement: Map<number, Pod>;
  finished: JobCondition | undefined;
  now: number;
}

export function uncounted(status: JobStatus): { succeeded: string[]; failed: string[] } {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  return { succeeded, failed };
}

/** Looks at a Job and its Pods. */
export function roundOf(job: Job, pods: Pod[], before: FailureRecord, now: number): Round {
  const status = copy(job.status ?? {});
  status.uncountedTerminatedPods ??= {};
  const active = pods.filter(isActive);
  const known = uncounted(status);
  const countable = (pod: Pod, counted: readonly string[]) =>
    isTracked(pod) && !counted.includes(pod.metadata.uid!) && (!isIndexed(job) || indexOf(pod, job) !== undefined);
  const succeeded = pods.filter((pod) => pod.status?.phase === "Succeeded" && countable(pod, known.succeeded));
  const failed = pods.filter((pod) => isPodFailed(pod, job) && countable(pod, known.failed));
  const counted = failed.filter((pod) => judgeFailure(job.spec?.podFailurePolicy, pod).counts);
  const round: Round = {
    job,
    status,
    pods,
    active,
    ready: active.filter(isPodReady).length,
    terminating: pods.filter(isPodTerminating).length,
    succeeded: (status.succeeded ?? 0) + succeeded.length + known.succeeded.length,
    failed: (status.failed ?? 0) + counted.length + known.failed.length,
    record: recordWith(before, succeeded, failed),
    previousIndexes: new Set(),
    succeededIndexes: new Set(),
    failedIndexes: undefined,
    awaitingReplacement: new Map(),
    finished: undefined,
    now,
  };
  if (isIndexed(job)) lookAtIndexes(round);
  return round;
}

function lookAtIndexes(round: Round): void {
  const { job, pods } = round;
  const completions = job.spec?.completions ?? 0;
  round.previousIndexes = parseIndexes(job.status?.completedIndexes, completions);
  round.succeededIndexes = new Set(round.previousIndexes);
  for (const pod of pods) {
    const index = indexOf(pod, job);
    if (index !== undefined && pod.status?.phase === "Succeeded" && isTracked(pod)) round.succeededIndexes.add(index);
  }
  round.succeeded = round.succeededIndexes.size;
  if (job.spec?.backoffLimitPerIndex === undefined) return;
  const failed = parseIndexes(job.status?.failedIndexes, completions);
  for (const pod of pods) {
    const index = indexOf(pod, job);
    if (index !== undefined && isTracked(pod) && failsIndex(job, pod)) failed.add(index);
  }
  round.failedIndexes = failed;
  round.awaitingReplacement = awaitingReplacement(round);
}

function failsIndex(job: Job, pod: Pod): boolean {
  if (!isPodFailed(pod, job)) return false;
  const { counts, action } = judgeFailure(job.spec?.podFailurePolicy, pod);
  if (action === "FailIndex") return true;
  return counts && indexFailures(pod) >= (job.spec?.backoffLimitPerIndex ?? 0);
}

function awaitingReplacement({ job, pods, active, succeededIndexes, failedIndexes }: Round): Map<number, Pod> {
  const running = new Set(active.map((pod) => indexOf(pod, job)));
  const waiting = new Map<number, Pod>();
  for (const pod of pods) {
    const index = indexOf(pod, job);
    if (index === undefined || !isTracked(pod) || !isPodFailed(pod, job)) continue;
    if (succeededIndexes.has(index) || failedIndexes?.has(index) || running.has(index)) continue;
    const other = waiting.get(index);
    const isLater =
      other === undefined || (allIndexFailures(other) <= allIndexFailures(pod) && finishedAt(pod) >= finishedAt(other));
    if (isLater) waiting.set(index, pod);
  }
  return waiting;
}

/** The restarts of containers that are kept going in place count as failures (restartPolicy OnFailure). */
export function restartsReachLimit({ job, pods }: Round): boolean {
  if (job.spec?.template.spec?.restartPolicy !== "OnFailure") return false;
  const limit = job.spec.backoffLimit ?? 6;
  let restarts = 0;
  for (const pod of pods) {
    if (isPodTerminal(pod) || !["Running", "Pending"].includes(pod.status?.phase ?? "")) continue;
    for (const s of [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])]) {
      restarts += s.restartCount;
    }
  }
  return limit === 0 ? restarts > 0 : restarts >= limit;
}
