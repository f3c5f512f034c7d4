import type { V1PersistentVolumeClaim } from "@kubernetes/client-node";
import type { KubeObject, Wire } from "../api/object.ts";
import type { AdmissionPlugin } from "../registry/core.ts";
import { defaultOf } from "./default-class.ts";

type Claim = KubeObject & Wire<V1PersistentVolumeClaim>;

const storageClasses = { group: "storage.k8s.io", resource: "storageclasses" };

/** The class of a claim that names none (DefaultStorageClass). */
export const defaultStorageClass: AdmissionPlugin = {
  name: "DefaultStorageClass",
  mutate({ operation, definition, target, object }, { store }) {
    const { group, resource } = definition.info;
    if (operation !== "CREATE" || group !== "" || resource !== "persistentvolumeclaims" || target.subresource) return;
    const { spec, metadata } = object as Claim;
    const annotated = metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] !== undefined;
    // An empty name is a choice too: a volume without a class.
    if (spec === undefined || spec.storageClassName !== undefined || annotated) return;
    const chosen = defaultOf(store.list(storageClasses), "storageclass.kubernetes.io/is-default-class");
    if (chosen) spec.storageClassName = chosen.metadata.name;
  },
};
