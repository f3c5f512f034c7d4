import type { V1PersistentVolumeClaim, V1StorageClass } from "@kubernetes/client-node";
import { apiError } from "../api/api-error.ts";
import type { KubeObject, Wire } from "../api/object.ts";
import { parseQuantity } from "../api/quantity.ts";
import type { AdmissionPlugin } from "../registry/core.ts";

type Claim = KubeObject & Wire<V1PersistentVolumeClaim>;
type StorageClass = KubeObject & Wire<V1StorageClass>;

const storageClasses = { group: "storage.k8s.io", resource: "storageclasses" };

/** A claim grows only where its class lets volumes grow (PersistentVolumeClaimResize). */
export const claimResize: AdmissionPlugin = {
  name: "PersistentVolumeClaimResize",
  validate({ operation, definition, target, object, old }, { store }) {
    const { group, resource } = definition.info;
    if (operation !== "UPDATE" || group !== "" || resource !== "persistentvolumeclaims" || target.subresource) return;
    const before = old as Claim;
    if (sizeOf(object as Claim) <= sizeOf(before)) return;
    const refuse = (why: string) => apiError.forbidden(definition.info, before.metadata.name ?? "", why);
    if (before.status?.phase !== "Bound") throw refuse("Only bound persistent volume claims can be expanded");
    const name = classOf(before);
    const storageClass = store.get(storageClasses, "", name) as StorageClass | undefined;
    if (name !== "" && classOf(object as Claim) === name && storageClass?.allowVolumeExpansion) return;
    throw refuse(
      "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
    );
  },
};

function sizeOf({ spec }: Claim): bigint {
  const text = (spec?.resources?.requests as Record<string, string> | undefined)?.["storage"];
  return text === undefined ? 0n : parseQuantity(text).nano;
}

function classOf({ spec, metadata }: Claim): string {
  return metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] ?? spec?.storageClassName ?? "";
}
