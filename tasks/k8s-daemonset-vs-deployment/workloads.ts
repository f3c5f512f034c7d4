import { type CheckContext, isEligible } from "k8s-practice";

/** What the checks of this task read of a Deployment. */
export interface Deployment {
  metadata: { uid: string; generation?: number };
  spec: { replicas?: number; template: { spec: PodSpec } };
  status?: { observedGeneration?: number; replicas?: number; updatedReplicas?: number; availableReplicas?: number };
}

export type PodSpec = Parameters<typeof isEligible>[0];
export type Node = Parameters<typeof isEligible>[1];
export type Pod = Awaited<ReturnType<CheckContext["cluster"]["pods"]>>[number];

export const deployment = ({ cluster }: CheckContext, name: string): Promise<Deployment> =>
  cluster.get<Deployment>("apps/v1/deployments", name);

/** The Pods of a Deployment, of all its ReplicaSets; those on their way out don't count. */
export async function podsOfDeployment({ cluster }: CheckContext, { metadata }: Deployment): Promise<Pod[]> {
  const sets = await cluster.list<{ metadata: { uid: string; ownerReferences?: { uid: string }[] } }>(
    "apps/v1/replicasets",
  );
  const own = sets.filter((set) => set.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid));
  const pods = await Promise.all(own.map((set) => cluster.podsOf(set)));
  return pods.flat().filter(isStaying);
}

export const isStaying = (pod: Pod): boolean => pod.metadata?.deletionTimestamp === undefined;

export const isReady = (pod: Pod): boolean =>
  isStaying(pod) && pod.status?.conditions?.some((c) => c.type === "Ready" && c.status === "True") === true;

/** The nodes that a Pod with this spec may be put on. */
export async function nodesFor({ cluster }: CheckContext, spec: PodSpec): Promise<Node[]> {
  return (await cluster.nodes()).filter((node) => isEligible(spec, node));
}

export const namesOf = (objects: readonly { metadata?: { name?: string } }[]): string =>
  objects.map((object) => object.metadata?.name).join(", ");

/** `disk=ssd,zone=a` */
export const written = (selector: Record<string, string> = {}): string =>
  Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(",");

/** Is the Deployment's controller done with the latest spec? */
export function isRolledOut({ metadata, spec, status = {} }: Deployment): boolean {
  const replicas = spec.replicas ?? 1;
  return (
    (status.observedGeneration ?? 0) >= (metadata.generation ?? 0) &&
    status.replicas === replicas &&
    status.updatedReplicas === replicas &&
    status.availableReplicas === replicas
  );
}
