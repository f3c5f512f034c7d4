import type { V1PersistentVolume, V1PersistentVolumeClaim, V1StorageClass } from "@kubernetes/client-node";
import type { KubeObject, Wire } from "../../api/object.ts";
import type { Pod } from "../../api/pod.ts";
import { persistentVolumeClaims, persistentVolumes, storageClasses } from "../../controllers/framework/resources.ts";
import type { Store } from "../../store/store.ts";
import type { Filter } from "./filter.ts";
import { matchesNodeSelector } from "./node-affinity.ts";

export type Claim = KubeObject & Wire<V1PersistentVolumeClaim>;
type Volume = KubeObject & Wire<V1PersistentVolume>;
type StorageClass = KubeObject & Wire<V1StorageClass>;

/** Names of the claims a Pod mounts; an ephemeral volume's claim is called POD-VOLUME. */
export function claimNames(pod: Pod): string[] {
  return (pod.spec?.volumes ?? []).flatMap((volume) => {
    if (volume.persistentVolumeClaim) return [volume.persistentVolumeClaim.claimName];
    return volume.ephemeral ? [`${pod.metadata.name}-${volume.name}`] : [];
  });
}

/**
 * VolumeBinding: every claim must exist; a bound one limits the Pod to its volume's nodes; an unbound one must be of a
 * class that waits for its first consumer. `unbound` are the claims to be provisioned where the Pod goes.
 */
export function volumeFilter(
  pod: Pod,
  store: Store,
): { refused?: { reason: string }; filter?: Filter; unbound: Claim[] } {
  const names = claimNames(pod);
  const unbound: Claim[] = [];
  const selectors: NonNullable<NonNullable<Volume["spec"]>["nodeAffinity"]>["required"][] = [];
  for (const name of names) {
    const claim = store.get(persistentVolumeClaims, pod.metadata.namespace!, name) as Claim | undefined;
    if (claim === undefined) return { refused: { reason: `persistentvolumeclaim "${name}" not found` }, unbound };
    if (claim.metadata.deletionTimestamp) {
      return { refused: { reason: `persistentvolumeclaim "${name}" is being deleted` }, unbound };
    }
    if (claim.status?.phase === "Lost") {
      return { refused: { reason: `persistentvolumeclaim "${name}" bound to non-existent persistentvolume` }, unbound };
    }
    if (claim.spec?.volumeName) {
      const volume = store.get(persistentVolumes, "", claim.spec.volumeName) as Volume | undefined;
      if (volume?.spec?.nodeAffinity?.required) selectors.push(volume.spec.nodeAffinity.required);
      continue;
    }
    const className = claim.spec?.storageClassName ?? "";
    const storageClass = store.get(storageClasses, "", className) as StorageClass | undefined;
    if (storageClass?.volumeBindingMode !== "WaitForFirstConsumer") {
      return { refused: { reason: "pod has unbound immediate PersistentVolumeClaims" }, unbound };
    }
    unbound.push(claim);
  }
  if (selectors.length === 0) return { unbound };
  return {
    unbound,
    filter: (info) =>
      selectors.every((selector) => !selector || matchesNodeSelector(selector, info.node!))
        ? undefined
        : {
            plugin: "VolumeBinding",
            reasons: ["node(s) didn't match PersistentVolume's node affinity"],
            resolvable: false,
          },
  };
}
