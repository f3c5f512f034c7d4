import type { V1StatefulSetStatus } from "@kubernetes/client-node";
import type { Wire } from "../../api/object.ts";
import type { Pod } from "../../api/pod.ts";
import type { Revision } from "../history/revisions.ts";
import { isAvailable } from "../replicaset/owned-pods.ts";
import { isCreated, isRunningAndReady, isTerminating, revisionOf, type StatefulSet } from "./stateful-pod.ts";

export type Status = Wire<V1StatefulSetStatus>;

/** The counts of a set's Pods. */
export function countPods(
  set: StatefulSet,
  pods: readonly Pod[],
  current: Revision,
  update: Revision,
  now: number,
): Required<Pick<Status, "replicas" | "readyReplicas" | "availableReplicas" | "currentReplicas" | "updatedReplicas">> {
  const count = (of: (pod: Pod) => boolean) => pods.filter(of).length;
  const isOf = (revision: Revision) => (pod: Pod) =>
    isCreated(pod) && !isTerminating(pod) && revisionOf(pod) === revision.metadata.name;
  return {
    replicas: count(isCreated),
    readyReplicas: count(isRunningAndReady),
    availableReplicas: count((pod) => isRunningAndReady(pod) && isAvailable(pod, set.spec?.minReadySeconds ?? 0, now)),
    currentReplicas: count(isOf(current)),
    updatedReplicas: count(isOf(update)),
  };
}

/** A roll-out that is through: the update revision is the current one. Changes `status`. */
export function completeRollingUpdate(set: StatefulSet, status: Status): void {
  const wanted = set.spec?.replicas ?? 1;
  if (set.spec?.updateStrategy?.type !== "RollingUpdate") return;
  if (status.updatedReplicas !== wanted || status.readyReplicas !== wanted || status.replicas !== wanted) return;
  status.currentReplicas = status.updatedReplicas;
  status.currentRevision = status.updateRevision;
}

/** As it is written: counts of nothing are left out, save the two that the API always shows. */
export function writtenStatus(status: Status): Status {
  const written = { ...status };
  for (const field of ["readyReplicas", "currentReplicas", "updatedReplicas"] as const) {
    if (!written[field]) delete written[field];
  }
  return written;
}
