import type { V1Pod } from "@kubernetes/client-node";
import type { KubeObject, Wire } from "../api/object.ts";
import type { AdmissionRequest } from "../registry/core.ts";

export type Pod = KubeObject & Wire<V1Pod>;

/** The Pod of a request that creates one; undefined for any other request. */
export function createdPod({ operation, definition, target, object }: AdmissionRequest): Pod | undefined {
  const { group, resource } = definition.info;
  if (operation !== "CREATE" || group !== "" || resource !== "pods" || target.subresource) return undefined;
  return object as Pod | undefined;
}

/** How an object is called when it is refused: one that gets its name later, by what that will begin with. */
export function nameInMessages({ metadata }: KubeObject): string {
  return metadata.name || metadata.generateName || "Unknown";
}
