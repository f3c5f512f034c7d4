import type {
  V1Container,
  V1ContainerStatus,
  V1Node,
  V1NodeCondition,
  V1Pod,
  V1PodCondition,
  V1Taint,
  V1Toleration,
} from "@kubernetes/client-node";
import type { KubeObject, Wire } from "./object.ts";

export type Pod = KubeObject & Wire<V1Pod>;
export type PodCondition = Wire<V1PodCondition>;
export type Container = Wire<V1Container>;
export type ContainerStatus = Wire<V1ContainerStatus>;
export type Node = KubeObject & Wire<V1Node>;
export type NodeCondition = Wire<V1NodeCondition>;
export type Taint = Wire<V1Taint>;
export type Toleration = Wire<V1Toleration>;

/** Its containers have ended for good: phase Succeeded or Failed. */
export function isPodTerminal(pod: Pod): boolean {
  return pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
}

/** The status of a condition, `Unknown` when there is none. */
export function conditionStatus(
  object: { status?: { conditions?: { type: string; status: string }[] } },
  type: string,
): string {
  return object.status?.conditions?.find((c) => c.type === type)?.status ?? "Unknown";
}

export function isPodReady(pod: Pod): boolean {
  return conditionStatus(pod, "Ready") === "True";
}

export function isNodeReady(node: Node): boolean {
  return conditionStatus(node, "Ready") === "True";
}

/** An init container that keeps running beside the others (KEP-753). */
export function isSidecar(container: { restartPolicy?: string }): boolean {
  return container.restartPolicy === "Always";
}
