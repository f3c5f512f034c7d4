import type { V1Deployment, V1ReplicaSet } from "@kubernetes/client-node";
import { getScaledValueFromIntOrPercent } from "../../api/int-or-string.ts";
import { copy, equal, type KubeObject, type Wire } from "../../api/object.ts";
import { hashLabel } from "./template-hash.ts";

export type Deployment = KubeObject & Wire<V1Deployment>;
export type ReplicaSet = KubeObject & Wire<V1ReplicaSet>;

export const revisionAnnotation = "deployment.kubernetes.io/revision";
export const desiredAnnotation = "deployment.kubernetes.io/desired-replicas";
export const maxAnnotation = "deployment.kubernetes.io/max-replicas";

/** Annotations of a Deployment that its ReplicaSets do not get. */
const notCopied = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  revisionAnnotation,
  "deployment.kubernetes.io/revision-history",
  desiredAnnotation,
  maxAnnotation,
  "deprecated.deployment.rollback.to",
]);

export function replicasOf(object: Deployment | ReplicaSet): number {
  return object.spec?.replicas ?? 0;
}

export function totalReplicas(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, set) => sum + replicasOf(set), 0);
}

export function revisionOf(object: KubeObject): number {
  return Number(object.metadata.annotations?.[revisionAnnotation] ?? 0) || 0;
}

/** Oldest first. */
export function byAge(sets: readonly ReplicaSet[]): ReplicaSet[] {
  return [...sets].sort(
    (a, b) =>
      Date.parse(a.metadata.creationTimestamp ?? "") - Date.parse(b.metadata.creationTimestamp ?? "") ||
      (a.metadata.name! < b.metadata.name! ? -1 : 1),
  );
}

/** The ReplicaSet of the Deployment's present template, whatever its hash. */
export function currentSet(deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  const wanted = withoutHash(deployment.spec?.template);
  return byAge(sets).find((set) => equal(withoutHash(set.spec?.template), wanted));
}

function withoutHash(template: unknown): unknown {
  const out = copy(template) as { metadata?: { labels?: Record<string, string> } } | undefined;
  if (out?.metadata?.labels) delete out.metadata.labels[hashLabel];
  return out;
}

/** What a ReplicaSet of the Deployment is annotated with, besides its revision and sizes. */
export function copiedAnnotations(deployment: Deployment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !notCopied.has(key)),
  );
}

/** How many Pods there may be more, and how many may be missing, during a rolling update; never both zero. */
export function rollingLimits(deployment: Deployment): { surge: number; unavailable: number } {
  const replicas = replicasOf(deployment);
  const rolling = deployment.spec?.strategy?.rollingUpdate;
  if (deployment.spec?.strategy?.type === "Recreate") return { surge: 0, unavailable: 0 };
  const surge = getScaledValueFromIntOrPercent(rolling?.maxSurge ?? "25%", replicas, true);
  const unavailable = getScaledValueFromIntOrPercent(rolling?.maxUnavailable ?? "25%", replicas, false);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : Math.min(unavailable, replicas) };
}
