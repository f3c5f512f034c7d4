import type { Pod } from "../../api/pod.ts";
import type { Revision } from "../history/revisions.ts";
import { isAvailable } from "../replicaset/owned-pods.ts";
import {
  identityMatches,
  isCreated,
  isInRange,
  isRunningAndReady,
  isTerminating,
  ordinalOf,
  revisionOf,
  type StatefulSet,
  startOrdinal,
  statefulPod,
  storageMatches,
} from "./stateful-pod.ts";
import type { StatefulPodControl } from "./stateful-pod-control.ts";

/** What one look at a set works with. */
export interface Round {
  set: StatefulSet;
  current: Revision;
  update: Revision;
  pods: readonly Pod[];
  now: number;
  control: StatefulPodControl;
}

/** Pods a set has or is to have, by ordinal, and those it has too many, the highest ordinal first. */
export interface Members {
  replicas: Pod[];
  condemned: Pod[];
}

/** Sorts a set's Pods; where one is missing stands the Pod that is to be made, without a phase. */
export function membersOf({ set, current, update, pods }: Round): Members {
  const replicas: Pod[] = [];
  const condemned = pods.filter((pod) => !isInRange(set, pod)).sort((a, b) => ordinalOf(b) - ordinalOf(a));
  const first = startOrdinal(set);
  const partition = set.spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
  const isRolling = set.spec?.updateStrategy?.type === "RollingUpdate";
  for (let index = 0; index < (set.spec?.replicas ?? 1); index++) {
    const ordinal = first + index;
    const keepsOld = isRolling && index < partition;
    replicas.push(
      pods.find((pod) => ordinalOf(pod) === ordinal) ?? statefulPod(set, keepsOld ? current : update, ordinal),
    );
  }
  return { replicas, condemned };
}

/**
 * Brings a set one step on: missing Pods in the order of their ordinals, then surplus ones from the highest, then those
 * of an old revision from the highest
 * (https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#deployment-and-scaling-guarantees).
 *
 * @returns the number of Pods that were deleted because of their revision, when the set got so far; undefined before
 * @throws what the API server answers
 */
export function takeStep(round: Round, { replicas, condemned }: Members): number | undefined {
  const { set, control, now } = round;
  const ordered = set.spec?.podManagementPolicy !== "Parallel";
  const isUnavailable = (pod: Pod) => !isAvailableNow(set, pod, now) || isTerminating(pod);
  const firstUnavailable = [...replicas, ...[...condemned].reverse()].find(isUnavailable);
  if (forEach(replicas, ordered, (pod) => isBlocked(round, pod, ordered))) return undefined;
  for (const pod of condemned) control.retain(set, pod);
  const blocked = forEach(condemned, ordered, (pod) => {
    if (isTerminating(pod)) return true;
    const waits = !isRunningAndReady(pod) || !isAvailableNow(set, pod, now);
    if (ordered && waits && pod !== firstUnavailable) return true;
    control.delete(set, pod);
    return true;
  });
  if (blocked) return undefined;
  return replaceOld(round, replicas, isUnavailable);
}

/** Works through Pods; in an ordered set one that is not as it should be keeps the others waiting. */
function forEach(pods: readonly Pod[], ordered: boolean, work: (pod: Pod) => boolean): boolean {
  for (const pod of pods) if (work(pod) && ordered) return true;
  return false;
}

function isBlocked({ set, control, now }: Round, pod: Pod, ordered: boolean): boolean {
  const phase = pod.status?.phase;
  if (phase === "Failed" || phase === "Succeeded") {
    if (!isTerminating(pod)) control.delete(set, pod);
    return true;
  }
  if (!isCreated(pod)) {
    if (control.mustWaitForClaims(set, pod)) return true;
    control.create(set, pod);
    return true;
  }
  if (phase === "Pending") {
    control.createClaims(set, pod);
    control.retain(set, pod);
  }
  if (ordered && (isTerminating(pod) || !isRunningAndReady(pod) || !isAvailableNow(set, pod, now))) return true;
  control.retain(set, pod);
  if (!identityMatches(set, pod) || !storageMatches(set, pod)) control.mend(set, pod);
  return false;
}

/** Rolling update: the highest ordinal that is old goes, once all above it are available again. */
function replaceOld({ set, update, control }: Round, replicas: readonly Pod[], isUnavailable: (pod: Pod) => boolean) {
  if (set.spec?.updateStrategy?.type === "OnDelete") return 0;
  const partition = set.spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
  for (let target = replicas.length - 1; target >= partition; target--) {
    const pod = replicas[target]!;
    if (revisionOf(pod) !== update.metadata.name && !isTerminating(pod)) {
      control.delete(set, pod);
      return 1;
    }
    if (isUnavailable(pod)) return 0;
  }
  return 0;
}

function isAvailableNow(set: StatefulSet, pod: Pod, now: number): boolean {
  return isAvailable(pod, set.spec?.minReadySeconds ?? 0, now);
}
