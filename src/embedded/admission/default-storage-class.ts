import type { V1PersistentVolumeClaim, V1StorageClass } from "@kubernetes/client-node";
import type { KubeObject, Wire } from "../api/object.ts";
import type { AdmissionPlugin } from "../registry/core.ts";

type Claim = KubeObject & Wire<V1PersistentVolumeClaim>;
type StorageClass = KubeObject & Wire<V1StorageClass>;

const storageClasses = { group: "storage.k8s.io", resource: "storageclasses" };
const isDefault = "storageclass.kubernetes.io/is-default-class";

/** The class of a claim that names none: of several defaults the newest, then the first by name (DefaultStorageClass). */
export const defaultStorageClass: AdmissionPlugin = {
  name: "DefaultStorageClass",
  mutate({ operation, definition, target, object }, { store }) {
    const { group, resource } = definition.info;
    if (operation !== "CREATE" || group !== "" || resource !== "persistentvolumeclaims" || target.subresource) return;
    const { spec, metadata } = object as Claim;
    const annotated = metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] !== undefined;
    // An empty name is a choice too: a volume without a class.
    if (spec === undefined || spec.storageClassName !== undefined || annotated) return;
    const defaults = (store.list(storageClasses) as readonly StorageClass[]).filter(
      (c) => c.metadata.annotations?.[isDefault] === "true",
    );
    const created = (c: StorageClass) => Date.parse(String(c.metadata.creationTimestamp));
    const [chosen] = defaults.sort((a, b) => created(b) - created(a) || (a.metadata.name! < b.metadata.name! ? -1 : 1));
    if (chosen) spec.storageClassName = chosen.metadata.name;
  },
};
