import type { V1Pod } from "@kubernetes/client-node";
import type { Kind } from "../../define.ts";
import { keepSpec, nextGeneration } from "../../fields/generation.ts";
import { qosClass } from "../../pod-spec/qos.ts";

type Pod = Kind<V1Pod>;

/** A new Pod is Pending, and its quality of service is settled for good. */
export function prepareForCreate(pod: Pod): void {
  pod.metadata.generation = 1;
  pairServiceAccount(pod);
  pod.status = { phase: "Pending", ...(pod.spec ? { qosClass: qosClass(pod.spec) } : {}) };
  if ((pod.spec?.schedulingGates ?? []).length > 0) {
    pod.status.conditions = [
      {
        type: "PodScheduled",
        status: "False",
        reason: "SchedulingGated",
        message: "Scheduling is blocked due to non-empty scheduling gates",
      },
    ];
  }
}

export function prepareForUpdate(pod: Pod, old: Pod): void {
  pairServiceAccount(pod);
  nextGeneration(pod, old);
}

/** The field of old follows the one that admission may have filled in. */
function pairServiceAccount({ spec }: Pod): void {
  if (spec?.serviceAccountName) spec.serviceAccount = spec.serviceAccountName;
}

/** Kubelets report status; they change no spec, no owner, and cannot undo a deletion. */
export function prepareForStatusUpdate(pod: Pod, old: Pod): void {
  keepSpec(pod, old);
  pod.metadata.ownerReferences = old.metadata.ownerReferences;
  if (pod.status && !pod.status.qosClass && old.status?.qosClass) pod.status.qosClass = old.status.qosClass;
}

/**
 * How many seconds a deletion waits for the kubelet: what the client asks, else the Pod's own grace period. A Pod that
 * never ran, or has ended, goes at once.
 */
export function gracePeriod(pod: Pod, requested: number | undefined): number {
  const phase = pod.status?.phase;
  if (!pod.spec?.nodeName || phase === "Failed" || phase === "Succeeded") return 0;
  const seconds = requested ?? pod.spec.terminationGracePeriodSeconds ?? 0;
  return seconds < 0 ? 1 : seconds;
}
