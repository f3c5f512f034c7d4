import type { V1PodTemplateSpec, V1StatefulSet } from "@kubernetes/client-node";
import { copy, type KubeObject, type Wire } from "../../api/object.ts";
import { isPodReady, type Pod } from "../../api/pod.ts";
import { controllerReference } from "../framework/controller-reference.ts";
import type { Revision } from "../history/revisions.ts";
import { claimName } from "./claims.ts";

export type StatefulSet = KubeObject & Wire<V1StatefulSet>;
type Template = Wire<V1PodTemplateSpec>;

/** On a Pod: the name of the ControllerRevision it was made from. */
export const revisionLabel = "controller-revision-hash";
export const podNameLabel = "statefulset.kubernetes.io/pod-name";
const podIndexLabel = "apps.kubernetes.io/pod-index";

/** `web-3` is the Pod with the ordinal 3 of the set `web`; undefined for a name that is not of this form. */
export function parentAndOrdinal(name: string): { parent: string; ordinal: number } | undefined {
  const match = /^(.*)-([0-9]+)$/.exec(name);
  return match ? { parent: match[1]!, ordinal: Number(match[2]) } : undefined;
}

export function ordinalOf(pod: Pod): number {
  return parentAndOrdinal(pod.metadata.name ?? "")?.ordinal ?? -1;
}

export function isMember(set: StatefulSet, pod: Pod): boolean {
  return parentAndOrdinal(pod.metadata.name ?? "")?.parent === set.metadata.name;
}

/** The first ordinal of a set (KEP-3335). */
export function startOrdinal(set: StatefulSet): number {
  return set.spec?.ordinals?.start ?? 0;
}

export function isInRange(set: StatefulSet, pod: Pod): boolean {
  const index = ordinalOf(pod) - startOrdinal(set);
  return index >= 0 && index < (set.spec?.replicas ?? 1);
}

/** The template that a revision keeps. */
export function templateOf(revision: Revision): Template {
  const data = revision["data"] as { spec: { template: Template & { $patch?: string } } };
  const { $patch: _, ...template } = data.spec.template;
  return template;
}

/** The labels by which a Pod of a set is known. */
export function identityLabels(set: StatefulSet, ordinal: number): Record<string, string> {
  return { [podNameLabel]: `${set.metadata.name}-${ordinal}`, [podIndexLabel]: String(ordinal) };
}

/**
 * The Pod with an ordinal, as a revision has it
 * (https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#pod-identity).
 */
export function statefulPod(set: StatefulSet, revision: Revision, ordinal: number): Pod {
  const { metadata, spec } = templateOf(revision);
  const name = `${set.metadata.name}-${ordinal}`;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace: set.metadata.namespace,
      labels: { ...metadata?.labels, ...identityLabels(set, ordinal), [revisionLabel]: revision.metadata.name! },
      ...(metadata?.annotations === undefined ? {} : { annotations: copy(metadata.annotations) }),
      ...(metadata?.finalizers === undefined ? {} : { finalizers: [...metadata.finalizers] }),
      ownerReferences: [controllerReference(set) as never],
    },
    spec: {
      ...copy(spec!),
      hostname: name,
      ...(set.spec?.serviceName ? { subdomain: set.spec.serviceName } : {}),
      volumes: withClaims(set, ordinal, spec?.volumes ?? []),
    },
  };
}

type Volumes = NonNullable<NonNullable<Pod["spec"]>["volumes"]>;

/** The volumes of a Pod with its claims in front, which replace volumes of the same names. */
export function withClaims(set: StatefulSet, ordinal: number, volumes: Volumes): Volumes {
  const templates = set.spec?.volumeClaimTemplates ?? [];
  const claims = templates.map(({ metadata }) => ({
    name: metadata?.name ?? "",
    persistentVolumeClaim: { claimName: claimName(set, metadata?.name ?? "", ordinal) },
  }));
  return [...claims, ...copy(volumes.filter((volume) => !claims.some((claim) => claim.name === volume.name)))];
}

/** Has its name as a label; one that was adopted may not. */
export function identityMatches(set: StatefulSet, pod: Pod): boolean {
  return isMember(set, pod) && pod.metadata.labels?.[podNameLabel] === pod.metadata.name;
}

/** Mounts the claims of its ordinal. */
export function storageMatches(set: StatefulSet, pod: Pod): boolean {
  return (set.spec?.volumeClaimTemplates ?? []).every((template) => {
    const name = template.metadata?.name ?? "";
    const volume = pod.spec?.volumes?.find((v) => v.name === name);
    return volume?.persistentVolumeClaim?.claimName === claimName(set, name, ordinalOf(pod));
  });
}

export function revisionOf(pod: Pod): string {
  return pod.metadata.labels?.[revisionLabel] ?? "";
}

/** The API server has it; what is only planned has no phase yet. */
export function isCreated(pod: Pod): boolean {
  return (pod.status?.phase ?? "") !== "";
}

export function isTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

export function isRunningAndReady(pod: Pod): boolean {
  return pod.status?.phase === "Running" && isPodReady(pod);
}
