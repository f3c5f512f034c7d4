import { isPodReady, type Node } from "../../api/pod.ts";
import { isUpdated } from "./daemon-pod.ts";
import { type DaemonSet, eligibility } from "./eligibility.ts";
import { byAge, isAvailable, type PodsByNode } from "./plan.ts";

type Status = NonNullable<DaemonSet["status"]>;

/** The counts that `kubectl get daemonset` shows; counters without a value are left out as Go's omitempty does. */
export function daemonSetStatus(
  daemonSet: DaemonSet,
  nodes: readonly Node[],
  pods: PodsByNode,
  hash: string,
  now: number,
): Status {
  const count = { desired: 0, current: 0, misscheduled: 0, ready: 0, available: 0, updated: 0 };
  for (const node of nodes) {
    const there = pods.get(node.metadata.name!) ?? [];
    if (!eligibility(daemonSet, node).shouldRun) {
      if (there.length > 0) count.misscheduled += 1;
      continue;
    }
    count.desired += 1;
    const [oldest] = [...there].sort(byAge);
    if (oldest === undefined) continue;
    count.current += 1;
    if (isPodReady(oldest)) {
      count.ready += 1;
      if (isAvailable(oldest, daemonSet, now)) count.available += 1;
    }
    if (isUpdated(oldest, daemonSet, hash)) count.updated += 1;
  }
  const { conditions, collisionCount } = daemonSet.status ?? {};
  const unavailable = count.desired - count.available;
  return {
    currentNumberScheduled: count.current,
    desiredNumberScheduled: count.desired,
    numberMisscheduled: count.misscheduled,
    numberReady: count.ready,
    ...(daemonSet.metadata.generation === undefined ? {} : { observedGeneration: daemonSet.metadata.generation }),
    ...(count.updated === 0 ? {} : { updatedNumberScheduled: count.updated }),
    ...(count.available === 0 ? {} : { numberAvailable: count.available }),
    ...(unavailable === 0 ? {} : { numberUnavailable: unavailable }),
    ...(collisionCount === undefined ? {} : { collisionCount }),
    ...(conditions === undefined ? {} : { conditions }),
  };
}
