import type { KubeObject } from "../../api/object.ts";

/** The owner reference by which a controller's object names what it was made for (metav1.NewControllerRef). */
export function controllerReference(owner: KubeObject) {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}
