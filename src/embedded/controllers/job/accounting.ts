import { equal } from "../../api/object.ts";
import type { Pod } from "../../api/pod.ts";
import type { ControllerContext } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { pods as podResource } from "../framework/resources.ts";
import { formatIndexes, indexOf } from "./indexes.ts";
import {
  conditionOf,
  isIndexed,
  isPodFailed,
  isTracked,
  type JobStatus,
  newCondition,
  setCondition,
  trackingFinalizer,
} from "./job.ts";
import { judgeFailure } from "./pod-failure-policy.ts";
import { type Round, uncounted } from "./round.ts";

/**
 * Counts Pods that have ended, each once, though the controller may die between any two writes: their uids go into
 * status.uncountedTerminatedPods, then their finalizer goes, then they are a number
 * (https://kubernetes.io/docs/concepts/workloads/controllers/job/#job-tracking-with-finalizers).
 *
 * @param write writes the round's status
 */
export function countEndedPods(context: ControllerContext, round: Round, write: () => void): void {
  const { job, status } = round;
  settleCounted(status, new Set(round.pods.filter(isTracked).map((pod) => pod.metadata.uid!)));
  const done = round.pods.filter((pod) => isTracked(pod) && mayGo(round, pod));
  for (const pod of done) note(round, pod);
  if (isIndexed(job)) {
    const completed = formatIndexes(round.succeededIndexes);
    status.succeeded = round.succeededIndexes.size;
    status.completedIndexes = completed;
    if (round.failedIndexes !== undefined) status.failedIndexes = formatIndexes(round.failedIndexes);
  }
  announceEnd(round);
  if (!equal(written(status), written(job.status ?? {}))) write();
  for (const pod of done) releasePod(context, pod);
  const left = round.pods.filter((pod) => isTracked(pod) && !done.includes(pod)).map((pod) => pod.metadata.uid!);
  settleCounted(status, new Set(left));
}

/** Takes the finalizer off a Pod that is counted, or whose Job is gone. */
export function releasePod({ api, as }: ControllerContext, pod: Pod): void {
  const target = { ...podResource, namespace: pod.metadata.namespace, name: pod.metadata.name };
  const patch = { metadata: { "$deleteFromPrimitiveList/finalizers": [trackingFinalizer] } };
  unless(["NotFound"], () => api.patch(target, "application/strategic-merge-patch+json", patch, as));
}

/** As it is stored: numbers and texts of nothing are left out. */
export function written(status: JobStatus): JobStatus {
  const out = { ...status };
  for (const field of ["active", "succeeded", "failed", "completedIndexes"] as const)
    if (!out[field]) delete out[field];
  const { succeeded, failed } = uncounted(out);
  out.uncountedTerminatedPods = {
    ...(succeeded.length > 0 ? { succeeded } : {}),
    ...(failed.length > 0 ? { failed } : {}),
  };
  return out;
}

/** Pods whose finalizer is gone are numbers from now on. */
function settleCounted(status: JobStatus, tracked: ReadonlySet<string>): void {
  const { succeeded, failed } = uncounted(status);
  const rest = (uids: string[]) => uids.filter((uid) => tracked.has(uid));
  status.succeeded = (status.succeeded ?? 0) + succeeded.length - rest(succeeded).length;
  status.failed = (status.failed ?? 0) + failed.length - rest(failed).length;
  status.uncountedTerminatedPods = { succeeded: rest(succeeded), failed: rest(failed) };
}

function mayGo(round: Round, pod: Pod): boolean {
  const { job, finished } = round;
  if (job.metadata.deletionTimestamp !== undefined || finished || pod.status?.phase === "Succeeded") return true;
  if (!isPodFailed(pod, job)) return false;
  const index = indexOf(pod, job);
  return index === undefined || round.awaitingReplacement.get(index)?.metadata.uid !== pod.metadata.uid;
}

function note(round: Round, pod: Pod): void {
  const { job, status, finished } = round;
  const known = uncounted(status);
  const uid = pod.metadata.uid!;
  if (pod.status?.phase === "Succeeded" && !known.failed.includes(uid)) {
    if (isIndexed(job) || known.succeeded.includes(uid)) return;
    status.uncountedTerminatedPods = { ...known, succeeded: [...known.succeeded, uid] };
    return;
  }
  // When a Job has failed, every Pod that has not ended counts as failed.
  const jobFailed = finished !== undefined && finished.type !== "SuccessCriteriaMet";
  if (!isPodFailed(pod, job) && !jobFailed) return;
  if (known.failed.includes(uid) || (isIndexed(job) && indexOf(pod, job) === undefined)) return;
  if (!judgeFailure(job.spec?.podFailurePolicy, pod).counts) return;
  status.uncountedTerminatedPods = { ...known, failed: [...known.failed, uid] };
}

/** The interim condition is written first; the final one follows when all Pods are counted and gone. */
function announceEnd(round: Round): void {
  const { status, finished, now } = round;
  if (finished?.type === "FailureTarget") {
    setCondition(status, finished);
    round.finished = newCondition("Failed", "True", finished.reason ?? "", finished.message ?? "", now);
  } else if (finished?.type === "SuccessCriteriaMet") {
    if (!conditionOf(status, "SuccessCriteriaMet")) setCondition(status, finished);
    round.finished = newCondition("Complete", "True", finished.reason ?? "", finished.message ?? "", now);
  }
}
