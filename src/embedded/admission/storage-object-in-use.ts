import type { AdmissionPlugin } from "../registry/core.ts";

const finalizers: Record<string, string> = {
  persistentvolumeclaims: "kubernetes.io/pvc-protection",
  persistentvolumes: "kubernetes.io/pv-protection",
};

/** Claims and volumes stay while they are in use (StorageObjectInUseProtection). */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: "StorageObjectInUseProtection",
  mutate({ operation, definition, target, object }) {
    const { group, resource } = definition.info;
    const finalizer = group === "" ? finalizers[resource] : undefined;
    if (operation !== "CREATE" || finalizer === undefined || target.subresource || object === undefined) return;
    const { metadata } = object;
    if (!metadata.finalizers?.includes(finalizer)) metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
  },
};
