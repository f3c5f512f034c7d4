import { isSidecar, type Pod } from "../../api/pod.ts";

const first = 10_000;
const longest = 10 * 60_000;

/** How many Pods of a Job failed in a row, and when the last one did. */
export interface FailureRecord {
  failures: number;
  lastFailure: number | undefined;
}

export const noFailures: FailureRecord = { failures: 0, lastFailure: undefined };

/** The record with Pods that have ended since; a success begins it anew. */
export function recordWith(before: FailureRecord, succeeded: readonly Pod[], failed: readonly Pod[]): FailureRecord {
  const failures = failed.map(finishedAt).sort((a, b) => a - b);
  const lastFailure = failures.at(-1);
  if (succeeded.length === 0) {
    if (lastFailure === undefined) return before;
    return { failures: before.failures + failures.length, lastFailure };
  }
  const lastSuccess = Math.max(...succeeded.map(finishedAt));
  const after = failures.filter((at) => at > lastSuccess);
  return { failures: after.length, lastFailure: after.at(-1) };
}

/**
 * Milliseconds until a Pod may be made again: ten seconds after the first failure, twice as long after each further one,
 * ten minutes at most.
 */
export function remainingDelay({ failures, lastFailure }: FailureRecord, now: number): number {
  if (failures === 0 || lastFailure === undefined) return 0;
  const delay = Math.min(first * 2 ** Math.min(failures - 1, 20), longest);
  return Math.max(0, delay - (now - lastFailure));
}

/** When a Pod's last container ended, or what comes closest to it, in milliseconds. */
export function finishedAt(pod: Pod): number {
  const sidecars = (pod.spec?.initContainers ?? []).filter(isSidecar).map((c) => c.name);
  const statuses = [
    ...(pod.status?.containerStatuses ?? []),
    ...(pod.status?.initContainerStatuses ?? []).filter((s) => sidecars.includes(s.name)),
  ];
  const ends = statuses.map((s) => s.state?.terminated?.finishedAt);
  if (ends.length > 0 && ends.every((end) => end !== undefined))
    return Math.max(...ends.map((end) => Date.parse(end!)));
  const ready = pod.status?.conditions?.find((c) => c.type === "Ready");
  if (ready?.status === "False" && ready.lastTransitionTime) return Date.parse(ready.lastTransitionTime);
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp } = pod.metadata;
  if (deletionTimestamp) return Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  return Date.parse(creationTimestamp ?? "");
}
