import type { V1Job, V1JobCondition, V1JobStatus } from "@kubernetes/client-node";
import { rfc3339 } from "../../api/clock.ts";
import type { KubeObject, Wire } from "../../api/object.ts";
import { isPodTerminal, type Pod } from "../../api/pod.ts";

export type Job = KubeObject & Wire<V1Job>;
export type JobStatus = Wire<V1JobStatus>;
export type JobCondition = Wire<V1JobCondition>;

export const jobs = { group: "batch", resource: "jobs" };

/** Held on a Job's Pods until they are counted in its status (KEP-2307). */
export const trackingFinalizer = "batch.kubernetes.io/job-tracking";

export function isIndexed(job: Job): boolean {
  return job.spec?.completionMode === "Indexed";
}

export function isSuspended(job: Job): boolean {
  return job.spec?.suspend === true;
}

/** Somebody else's Job (KEP-4368). */
export function isManagedElsewhere(job: Job): boolean {
  const by = job.spec?.managedBy;
  return by !== undefined && by !== "kubernetes.io/job-controller";
}

/** The condition by which a Job has ended: Complete or Failed. */
export function finishedCondition(job: Job): JobCondition | undefined {
  return job.status?.conditions?.find((c) => (c.type === "Complete" || c.type === "Failed") && c.status === "True");
}

export function conditionOf(status: JobStatus, type: string): JobCondition | undefined {
  return status.conditions?.find((c) => c.type === type && c.status === "True");
}

export function newCondition(
  type: string,
  status: "True" | "False",
  reason: string,
  message: string,
  now: number,
): JobCondition {
  const time = rfc3339(now);
  return { type, status, lastProbeTime: time, lastTransitionTime: time, reason, message };
}

/**
 * Adds or changes a condition; one that would only begin as False is left out.
 *
 * @returns whether the list was changed
 */
export function setCondition(status: JobStatus, condition: JobCondition): boolean {
  const all = status.conditions ?? [];
  const at = all.findIndex((c) => c.type === condition.type);
  if (at < 0) {
    if (condition.status === "False") return false;
    status.conditions = [...all, condition];
    return true;
  }
  const old = all[at]!;
  if (old.status === condition.status && old.reason === condition.reason && old.message === condition.message)
    return false;
  status.conditions = all.map((c, i) => (i === at ? condition : c));
  return true;
}

export function isTracked(pod: Pod): boolean {
  return pod.metadata.finalizers?.includes(trackingFinalizer) ?? false;
}

/** Failed, or deleted before it could end where such a Pod is replaced at once (podReplacementPolicy). */
export function isPodFailed(pod: Pod, job: Job): boolean {
  if (pod.status?.phase === "Failed") return true;
  if (job.spec?.podReplacementPolicy === "Failed") return false;
  return pod.metadata.deletionTimestamp !== undefined && pod.status?.phase !== "Succeeded";
}

/** On its way out and not yet ended. */
export function isPodTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !isPodTerminal(pod);
}
