import type { V1OwnerReference } from "@kubernetes/client-node";
import type { KubeObject, Wire } from "../../api/object.ts";
import type { ResourceInfo } from "../../api/resource.ts";
import type { Store } from "../../store/store.ts";
import { groupOf, type ResourceCatalogue } from "../framework/resource-catalogue.ts";

export type OwnerReference = Wire<V1OwnerReference>;

export const foregroundFinalizer = "foregroundDeletion";
export const orphanFinalizer = "orphan";

/** What an owner reference comes to (garbagecollector.classifyReferences). */
export interface Owners {
  /** Owners that live and stay. */
  solid: OwnerReference[];
  /** References to what is not there, or has another uid. */
  dangling: OwnerReference[];
  /** Owners that wait in a foreground deletion for their dependents. */
  waiting: OwnerReference[];
  /** References whose kind is not served: nothing can be said of them, so nothing is deleted. */
  unknown: OwnerReference[];
  /** A cluster-scoped object names an owner of a namespaced kind: never followed. */
  misplaced: OwnerReference[];
}

/** Sorts an object's owner references by what is found under them now. */
export function classifyOwners(object: KubeObject, store: Store, catalogue: ResourceCatalogue): Owners {
  const owners: Owners = { solid: [], dangling: [], waiting: [], unknown: [], misplaced: [] };
  for (const reference of object.metadata.ownerReferences ?? []) {
    const resource = resourceOf(reference, catalogue);
    if (resource === undefined) {
      owners.unknown.push(reference);
      continue;
    }
    const namespace = object.metadata.namespace ?? "";
    if (resource.namespaced && namespace === "") {
      owners.misplaced.push(reference);
      continue;
    }
    // An owner of a namespaced kind is looked for in the dependent's own namespace only.
    const owner = store.get(resource, resource.namespaced ? namespace : "", reference.name);
    if (owner === undefined || owner.metadata.uid !== reference.uid) owners.dangling.push(reference);
    else if (isDeletingDependents(owner)) owners.waiting.push(reference);
    else owners.solid.push(reference);
  }
  return owners;
}

/** The resource an owner reference's apiVersion and kind stand for. */
export function resourceOf(reference: OwnerReference, catalogue: ResourceCatalogue): ResourceInfo | undefined {
  const group = groupOf(reference.apiVersion);
  return catalogue.list().find((r) => r.group === group && r.kind === reference.kind && !r.resource.includes("/"));
}

/** In a foreground deletion: stays until its blocking dependents are gone. */
export function isDeletingDependents(object: KubeObject): boolean {
  return !!object.metadata.deletionTimestamp && (object.metadata.finalizers ?? []).includes(foregroundFinalizer);
}
