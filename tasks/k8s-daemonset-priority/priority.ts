import type { V1Deployment, V1PriorityClass } from "@kubernetes/client-node";
import { type Check, type CheckContext, fail, pass } from "k8s-practice";

type Reader = CheckContext["cluster"];
export type DaemonSet = Awaited<ReturnType<Reader["daemonSet"]>>;
export type Pod = Awaited<ReturnType<Reader["pods"]>>[number];

export const nameOf = (object: { metadata?: { name?: string } }): string => object.metadata?.name ?? "";
export const namesOf = (objects: readonly { metadata?: { name?: string } }[]): string =>
  objects.map(nameOf).join(", ") || "-";

export const isReady = (pod: Pod): boolean =>
  pod.metadata?.deletionTimestamp === undefined &&
  pod.status?.conditions?.some((c) => c.type === "Ready" && c.status === "True") === true;

/** milliCPU of `250m`, `0.25`, `250`. */
export function milli(quantity: string): number {
  return quantity.endsWith("m") ? Number(quantity.slice(0, -1)) : Number(quantity) * 1000;
}

export const deployment = (cluster: Reader, name: string): Promise<V1Deployment> =>
  cluster.get<V1Deployment>("apps/v1/deployments", name);

export const priorityClass = (cluster: Reader, name: string): Promise<V1PriorityClass | undefined> =>
  cluster.find<V1PriorityClass>("scheduling.k8s.io/v1/priorityclasses", name, { namespace: null });

export const workers = async (cluster: Reader) =>
  (await cluster.nodes()).filter(
    (node) => node.metadata?.labels?.["node-role.kubernetes.io/control-plane"] === undefined,
  );

const writes = ["patch", "update", "create", "delete", "deletecollection"];

/** The other workloads and the nodes are as the task made them: nobody made room by hand. */
export const roomNotMadeByHand = ({ report }: { report: boolean }): Check => ({
  id: "others-untouched",
  async run({ cluster, trace }) {
    for (const [name, replicas] of [
      ["batch", 2],
      ["report", 1],
    ] as const) {
      const found = await cluster.find<V1Deployment>("apps/v1/deployments", name);
      if (found === undefined) return fail("deleted", { name });
      if (found.spec?.replicas !== replicas) return fail("scaled", { name, replicas: found.spec?.replicas ?? 0 });
    }
    const batch = await deployment(cluster, "batch");
    const { priorityClassName, nodeSelector } = batch.spec!.template.spec!;
    if (priorityClassName) return fail("batch-class", { name: priorityClassName });
    if (nodeSelector?.["pool"] !== "busy") return fail("moved", { name: "batch" });
    const pools = (await workers(cluster)).map((node) => node.metadata?.labels?.["pool"]).sort();
    if (pools.join() !== "busy,quiet") return fail("relabelled");
    if (!trace.available) return pass();
    const edits = (await trace.requests({ verbs: writes, resource: "deployments" })).filter(
      ({ code, uri, name }) => code < 300 && !uri.includes("dryRun=") && !(report && name === "report"),
    );
    if (edits[0] !== undefined) return fail("edited", { name: edits[0].name ?? "batch" });
    const pods = (await trace.requests({ verbs: ["delete", "deletecollection", "create"], resource: "pods" })).filter(
      ({ code, uri, name, verb, subresource }) =>
        code < 300 &&
        !uri.includes("dryRun=") &&
        !name?.startsWith("log-agent-") &&
        !(report && name?.startsWith("report-")) &&
        (verb !== "create" || subresource === "eviction"),
    );
    return pods[0] === undefined ? pass() : fail("pod-deleted", { name: pods[0].name ?? "*" });
  },
});
