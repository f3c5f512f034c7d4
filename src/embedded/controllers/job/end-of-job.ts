import { conditionOf, isIndexed, isPodFailed, isSuspended, type JobCondition, newCondition } from "./job.ts";
import { judgeFailure } from "./pod-failure-policy.ts";
import { type Round, restartsReachLimit } from "./round.ts";
import { metSuccessPolicy } from "./success-policy.ts";

/**
 * Why a Job ends now, before its Pods are looked after: FailureTarget or SuccessCriteriaMet (or Failed, where the target
 * was set before); undefined while it goes on
 * (https://kubernetes.io/docs/concepts/workloads/controllers/job/#job-termination-and-cleanup).
 */
export function endOf(round: Round): JobCondition | undefined {
  const { job, status, now } = round;
  const met = conditionOf(status, "SuccessCriteriaMet");
  if (met) return met;
  const target = conditionOf(status, "FailureTarget");
  if (target) return newCondition("Failed", "True", target.reason ?? "", target.message ?? "", now);
  const failure = failureOf(round);
  if (failure) return newCondition("FailureTarget", "True", failure[0], failure[1], now);
  const success = isIndexed(job)
    ? metSuccessPolicy(job.spec?.successPolicy, job.spec?.completions ?? 0, round.succeededIndexes)
    : undefined;
  return success === undefined ? undefined : newCondition("SuccessCriteriaMet", "True", "SuccessPolicy", success, now);
}

/** Reason and message. */
function failureOf(round: Round): [string, string] | undefined {
  const { job, status, pods, failedIndexes, succeededIndexes, now } = round;
  const spec = job.spec!;
  if (spec.podFailurePolicy) {
    for (const pod of pods) {
      const why = isPodFailed(pod, job) ? judgeFailure(spec.podFailurePolicy, pod).failJob : undefined;
      if (why !== undefined) return ["PodFailurePolicy", why];
    }
  }
  if (round.failed > (spec.backoffLimit ?? 6) || restartsReachLimit(round)) {
    return ["BackoffLimitExceeded", "Job has reached the specified backoff limit"];
  }
  if (spec.activeDeadlineSeconds !== undefined && status.startTime !== undefined && !isSuspended(job)) {
    if (now - Date.parse(status.startTime) >= spec.activeDeadlineSeconds * 1000) {
      return ["DeadlineExceeded", "Job was active longer than specified deadline"];
    }
  }
  if (failedIndexes === undefined) return undefined;
  if (spec.maxFailedIndexes !== undefined && failedIndexes.size > spec.maxFailedIndexes) {
    return ["MaxFailedIndexesExceeded", "Job has exceeded the specified maximal number of failed indexes"];
  }
  if (failedIndexes.size > 0 && failedIndexes.size + succeededIndexes.size >= (spec.completions ?? 0)) {
    return ["FailedIndexes", "Job has failed indexes"];
  }
  return undefined;
}

/** Enough Pods have succeeded and none is at work any more. */
export function isComplete({ job, succeeded }: Round, active: number): boolean {
  const wanted = job.spec?.completions;
  return active === 0 && (wanted === undefined ? succeeded > 0 : succeeded >= wanted);
}
