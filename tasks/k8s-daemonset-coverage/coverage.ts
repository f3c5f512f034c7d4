import type { CheckContext } from "k8s-practice";

type Reader = CheckContext["cluster"];
export type Node = Awaited<ReturnType<Reader["nodes"]>>[number];
export type Pod = Awaited<ReturnType<Reader["pods"]>>[number];

export const taint = { key: "dedicated", value: "gpu", effect: "NoSchedule" };
export const poolLabels = { pool: "gpu" };

export const nameOf = (object: { metadata?: { name?: string } }): string => object.metadata?.name ?? "";
export const namesOf = (objects: readonly { metadata?: { name?: string } }[]): string => objects.map(nameOf).join(", ");

/** A node's ready Pod among `pods`. */
export function readyOn(node: Node, pods: readonly Pod[]): Pod | undefined {
  return pods.find(
    (pod) =>
      pod.spec?.nodeName === node.metadata?.name &&
      pod.metadata?.deletionTimestamp === undefined &&
      pod.status?.conditions?.some((c) => c.type === "Ready" && c.status === "True"),
  );
}

/** The words of a ConfigMap's values: whatever the learner wrote, line by line. */
export const linesOf = (data: Record<string, string> = {}): string[][] =>
  Object.entries(data)
    .flatMap(([key, value]) => value.split("\n").map((line) => `${key} ${line}`))
    .map((line) => line.split(/[^\w.-]+/));
