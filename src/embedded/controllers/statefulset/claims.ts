import type { V1PersistentVolumeClaim, V1StatefulSet } from "@kubernetes/client-node";
import { ApiError } from "../../api/api-error.ts";
import { copy, equal, type KubeObject, type ObjectMeta, type Wire } from "../../api/object.ts";
import type { Pod } from "../../api/pod.ts";
import type { ControllerContext } from "../framework/controller.ts";
import { controllerReference } from "../framework/controller-reference.ts";
import { unless } from "../framework/expected-errors.ts";
import { persistentVolumeClaims } from "../framework/resources.ts";

type StatefulSet = KubeObject & Wire<V1StatefulSet>;
type Claim = KubeObject & Wire<V1PersistentVolumeClaim>;
type Owners = NonNullable<ObjectMeta["ownerReferences"]>;

/** The claim of a template for an ordinal: `data-web-0`. */
export function claimName(set: StatefulSet, template: string, ordinal: number): string {
  return `${template}-${set.metadata.name}-${ordinal}`;
}

/** The claims a Pod of a set needs, as bodies to be made. */
function claimsFor(set: StatefulSet, ordinal: number): Claim[] {
  return (set.spec?.volumeClaimTemplates ?? []).map((template) => {
    const { metadata, spec } = copy(template);
    return {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: {
        ...metadata,
        name: claimName(set, metadata?.name ?? "", ordinal),
        namespace: set.metadata.namespace,
        labels: { ...metadata?.labels, ...set.spec?.selector?.matchLabels },
      },
      spec,
    };
  });
}

/**
 * Makes the claims of a Pod that are missing.
 *
 * @param record tells of each claim that was made, or (with the error) could not be
 * @throws Error when one could not be made or is going
 */
export function createMissingClaims(
  { store, api, as }: ControllerContext,
  set: StatefulSet,
  ordinal: number,
  record: (claim: string, error?: ApiError) => void,
): void {
  const problems: string[] = [];
  for (const claim of claimsFor(set, ordinal)) {
    const name = claim.metadata.name!;
    const existing = store.get(persistentVolumeClaims, set.metadata.namespace!, name);
    if (existing?.metadata.deletionTimestamp !== undefined) problems.push(`pvc ${name} is being deleted`);
    if (existing !== undefined) continue;
    try {
      api.create({ ...persistentVolumeClaims, namespace: set.metadata.namespace }, claim, { ...as, warnings: [] });
      record(name);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problems.push(`failed to create PVC ${name}: ${error.message}`);
      record(name, error);
    }
  }
  if (problems.length > 0) throw new Error(aggregate(problems));
}

/** Several errors in one text, as Kubernetes joins them. */
function aggregate(messages: readonly string[]): string {
  return messages.length === 1 ? messages[0]! : `[${messages.join(", ")}]`;
}

/**
 * A claim that still belongs to the Pod of this name that was before: it will go with that Pod's deletion, and until it
 * has gone no new Pod is made (only where claims are deleted when the set is scaled down).
 */
export function hasStaleClaim({ store }: ControllerContext, set: StatefulSet, ordinal: number): boolean {
  if ((set.spec?.persistentVolumeClaimRetentionPolicy?.whenScaled ?? "Retain") === "Retain") return false;
  const pod = `${set.metadata.name}-${ordinal}`;
  return claimsFor(set, ordinal).some((wanted) => {
    const claim = store.get(persistentVolumeClaims, set.metadata.namespace!, wanted.metadata.name!);
    return claim?.metadata.ownerReferences?.some((owner) => owner.kind === "Pod" && owner.name === pod) ?? false;
  });
}

/**
 * Makes the claims of a Pod belong to whom the set's retention policy says, so that the garbage collector deletes them
 * (https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#persistentvolumeclaim-retention).
 *
 * @param inRange whether the Pod's ordinal is one the set wants
 */
export function retainClaims(
  context: ControllerContext,
  set: StatefulSet,
  pod: Pod,
  ordinal: number,
  inRange: boolean,
) {
  const { store, api, as } = context;
  for (const { metadata } of claimsFor(set, ordinal)) {
    const claim = store.get(persistentVolumeClaims, set.metadata.namespace!, metadata.name!) as Claim | undefined;
    if (claim === undefined) continue;
    const owners = ownersOf(set, pod, claim.metadata.ownerReferences ?? [], inRange);
    if (owners === undefined || equal(owners, claim.metadata.ownerReferences ?? [])) continue;
    const target = { ...persistentVolumeClaims, namespace: claim.metadata.namespace, name: claim.metadata.name };
    const next = { ...copy(claim), metadata: { ...copy(claim.metadata), ownerReferences: owners } };
    unless(["NotFound", "Conflict"], () => api.update(target, next, as));
  }
}

/** The owners a claim is to have; undefined where somebody else's ownership is left alone. */
function ownersOf(set: StatefulSet, pod: Pod, owners: Owners, inRange: boolean): Owners | undefined {
  const isOf = (owner: Owners[number], object: KubeObject) =>
    owner.kind === object.kind && owner.name === object.metadata.name;
  const isOurs = (owner: Owners[number]) => isOf(owner, set) || isOf(owner, pod);
  const stale = owners.some(
    (owner) => isOurs(owner) && owner.uid !== (isOf(owner, set) ? set : pod).metadata.uid && owner.uid !== undefined,
  );
  if (stale) return undefined;
  const others = owners.filter((owner) => !isOurs(owner));
  const { whenScaled = "Retain", whenDeleted = "Retain" } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  if (whenScaled === "Retain" && whenDeleted === "Retain") return others;
  if (others.some((owner) => owner.controller)) return others.length === owners.length ? undefined : others;
  const byPod = whenScaled === "Delete" && !inRange;
  const bySet = whenDeleted === "Delete" && !byPod;
  const wanted: Owners = [];
  if (byPod) wanted.push(controllerReference(pod) as Owners[number]);
  if (bySet) wanted.push(controllerReference(set) as Owners[number]);
  return [...others, ...wanted];
}
