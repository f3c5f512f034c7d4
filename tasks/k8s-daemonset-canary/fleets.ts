import type { CheckContext, LearnerRequest } from "k8s-practice";

type Reader = CheckContext["cluster"];
export type DaemonSet = Awaited<ReturnType<Reader["daemonSet"]>>;
export type Node = Awaited<ReturnType<Reader["nodes"]>>[number];
export type Pod = Awaited<ReturnType<Reader["pods"]>>[number];

export const oldImage = "busybox:1.36";
export const newImage = "busybox:1.37";

export const nameOf = (object: { metadata?: { name?: string } }): string => object.metadata?.name ?? "";
export const namesOf = (objects: readonly { metadata?: { name?: string } }[]): string =>
  objects.map(nameOf).join(", ") || "-";

export const fleetOf = (node: Node): string | undefined => node.metadata?.labels?.["fleet"];
export const isControlPlane = (node: Node): boolean =>
  node.metadata?.labels?.["node-role.kubernetes.io/control-plane"] !== undefined;

export const imageOf = (ds: DaemonSet): string => ds.template.spec.containers[0]?.image ?? "";

export const sameNodes = (a: readonly Node[], b: readonly Node[]): boolean =>
  a.length === b.length && a.every((node) => b.includes(node));

const isReady = (pod: Pod): boolean =>
  pod.metadata?.deletionTimestamp === undefined &&
  pod.status?.conditions?.some((c) => c.type === "Ready" && c.status === "True") === true;

/** Pods of a DaemonSet that are there at all, and whether they are exactly one ready Pod on each of `nodes`. */
export async function covers(cluster: Reader, ds: DaemonSet, nodes: readonly Node[]): Promise<boolean> {
  const pods = await cluster.podsOf(ds);
  return (
    pods.length === nodes.length &&
    nodes.every((node) => pods.some((pod) => pod.spec?.nodeName === nameOf(node) && isReady(pod)))
  );
}

const cannotStart = ["ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull"];

/** A Pod whose image can't be had, and the reason. */
export function imageProblem(pods: readonly Pod[]): { pod: string; reason: string } | undefined {
  for (const pod of pods) {
    const reasons = (pod.status?.containerStatuses ?? []).map(({ state }) => state?.waiting?.reason ?? "");
    const reason = reasons.find((candidate) => cannotStart.includes(candidate));
    if (reason !== undefined) return { pod: nameOf(pod), reason };
  }
  return undefined;
}

export const isAccepted = (request: LearnerRequest): boolean => request.code < 300 && !request.uri.includes("dryRun=");
