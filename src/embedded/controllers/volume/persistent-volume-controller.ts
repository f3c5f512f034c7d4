import type { V1PersistentVolume } from "@kubernetes/client-node";
import { matchesLabelSelector } from "../../api/label-selector.ts";
import { equal, type KubeObject, type Wire } from "../../api/object.ts";
import { parseQuantity } from "../../api/quantity.ts";
import type { Claim } from "../../scheduler/filters/volumes.ts";
import { type Controller, type ControllerContext, objectKey, observe, splitKey } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { persistentVolumeClaims, persistentVolumes, pods, storageClasses } from "../framework/resources.ts";
import { WorkQueue } from "../framework/work-queue.ts";

export type Volume = KubeObject & Wire<V1PersistentVolume>;

const component = "persistentvolume-controller";
const selectedNode = "volume.kubernetes.io/selected-node";

/**
 * Binds claims to volumes and releases them (https://kubernetes.io/docs/concepts/storage/persistent-volumes/): the
 * smallest volume that is large enough, of the same class, access modes and labels. What nothing fits is left to the
 * class's provisioner.
 */
export class PersistentVolumeController implements Controller {
  readonly name = component;
  private readonly queue: WorkQueue;
  private readonly stops: (() => void)[] = [];

  constructor(private readonly context: ControllerContext) {
    this.queue = new WorkQueue(
      context.clock,
      (key) => (key.startsWith("volume|") ? this.syncVolume(key.slice(7)) : this.syncClaim(key)),
      (key, error) => context.log(`persistent volumes, ${key}: ${error}`),
    );
  }

  start(): void {
    const { store } = this.context;
    const unbound = () => {
      for (const claim of store.list(persistentVolumeClaims)) {
        if ((claim as Claim).status?.phase !== "Bound") this.queue.add(objectKey(claim));
      }
    };
    this.stops.push(
      observe(store, persistentVolumeClaims, (claim, _previous, deleted) => {
        this.queue.add(objectKey(claim));
        const { volumeName } = (claim as Claim).spec ?? {};
        if (deleted && volumeName) this.queue.add(`volume|${volumeName}`);
      }),
      observe(store, persistentVolumes, (volume) => {
        this.queue.add(`volume|${volume.metadata.name}`);
        unbound();
      }),
      store.watch(storageClasses, unbound),
      store.watch(pods, ({ object, type }) => {
        if (type !== "DELETED") return;
        for (const claim of store.list(persistentVolumeClaims, object.metadata.namespace)) {
          if (claim.metadata.deletionTimestamp) this.queue.add(objectKey(claim));
        }
      }),
    );
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.queue.stop();
  }

  private syncClaim(key: string): void {
    const { store } = this.context;
    const { namespace, name } = splitKey(key);
    const claim = store.get(persistentVolumeClaims, namespace, name) as Claim | undefined;
    if (claim === undefined) return;
    if (claim.metadata.deletionTimestamp) {
      this.release(claim);
      return;
    }
    if (claim.spec?.volumeName) {
      const volume = store.get(persistentVolumes, "", claim.spec.volumeName) as Volume | undefined;
      if (volume) this.bind(claim, volume);
      else if (claim.status?.phase === "Bound") this.setClaim(claim, { status: { ...claim.status, phase: "Lost" } });
      return;
    }
    const className = claim.spec?.storageClassName ?? "";
    const storageClass = store.get(storageClasses, "", className) as
      | (KubeObject & { volumeBindingMode?: string })
      | undefined;
    const waits =
      storageClass?.volumeBindingMode === "WaitForFirstConsumer" && !claim.metadata.annotations?.[selectedNode];
    const volume = this.fittingVolume(claim);
    const promised = volume?.spec?.claimRef !== undefined;
    if (volume && (!waits || promised)) this.bind(claim, volume);
    else this.explain(claim, className, storageClass, waits);
  }

  private explain(claim: Claim, className: string, storageClass: KubeObject | undefined, waits: boolean): void {
    const { events } = this.context;
    if (waits) {
      const message = "waiting for first consumer to be created before binding";
      events.record(claim, "Normal", "WaitForFirstConsumer", message, { component });
    } else if (className === "" || storageClass === undefined) {
      const message =
        className === ""
          ? "no persistent volumes available for this claim and no storage class is set"
          : `storageclass.storage.k8s.io "${className}" not found`;
      const [type, reason] =
        className === "" ? (["Normal", "FailedBinding"] as const) : (["Warning", "ProvisioningFailed"] as const);
      events.record(claim, type, reason, message, { component });
    } else {
      const provisioner = String(storageClass["provisioner"]);
      const wanted = {
        "volume.kubernetes.io/storage-provisioner": provisioner,
        "volume.beta.kubernetes.io/storage-provisioner": provisioner,
      };
      if (claim.metadata.annotations?.["volume.kubernetes.io/storage-provisioner"] === provisioner) return;
      const message = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
      this.setClaim(claim, {
        metadata: { ...claim.metadata, annotations: { ...claim.metadata.annotations, ...wanted } },
      });
      events.record(claim, "Normal", "ExternalProvisioning", message, { component });
    }
  }

  private fittingVolume(claim: Claim): Volume | undefined {
    const wanted = parseQuantity(claim.spec?.resources?.requests?.["storage"] ?? "0").nano;
    const size = (v: Volume) => parseQuantity(v.spec?.capacity?.["storage"] ?? "0").nano;
    const volumes = this.context.store.list(persistentVolumes) as readonly Volume[];
    const promised = volumes.find((v) => refersTo(v, claim));
    if (promised) return promised;
    return volumes
      .filter(
        (v) =>
          !v.spec?.claimRef &&
          !v.metadata.deletionTimestamp &&
          (v.spec?.storageClassName ?? "") === (claim.spec?.storageClassName ?? "") &&
          (v.spec?.volumeMode ?? "Filesystem") === (claim.spec?.volumeMode ?? "Filesystem") &&
          (claim.spec?.accessModes ?? []).every((mode) => v.spec?.accessModes?.includes(mode)) &&
          (!claim.spec?.selector || matchesLabelSelector(claim.spec.selector, v.metadata.labels)) &&
          size(v) >= wanted,
      )
      .sort((a, b) => (size(a) < size(b) ? -1 : size(a) > size(b) ? 1 : 0))[0];
  }

  private bind(claim: Claim, volume: Volume): void {
    const { api, as } = this.context;
    const reference = volume.spec?.claimRef;
    if (reference && !refersTo(volume, claim)) return;
    const { name, namespace, uid, resourceVersion } = claim.metadata;
    if (reference?.uid !== uid) {
      const claimRef = { apiVersion: "v1", kind: "PersistentVolumeClaim", name, namespace, resourceVersion, uid };
      const annotations = { ...volume.metadata.annotations, "pv.kubernetes.io/bound-by-controller": "yes" };
      const body = { ...volume, metadata: { ...volume.metadata, annotations }, spec: { ...volume.spec, claimRef } };
      const target = { ...persistentVolumes, name: volume.metadata.name! };
      if (unless(["NotFound", "Conflict"], () => api.update(target, body, as)) === undefined) return;
    }
    let current = claim;
    if (!claim.spec?.volumeName) {
      const annotations = {
        ...claim.metadata.annotations,
        "pv.kubernetes.io/bind-completed": "yes",
        "pv.kubernetes.io/bound-by-controller": "yes",
      };
      const metadata = { ...claim.metadata, annotations };
      const updated = this.setClaim(claim, { metadata, spec: { ...claim.spec, volumeName: volume.metadata.name } });
      if (updated === undefined) return;
      current = updated;
    }
    const status = {
      ...current.status,
      accessModes: volume.spec?.accessModes ?? [],
      capacity: volume.spec?.capacity ?? {},
      phase: "Bound",
    };
    if (!equal(current.status, status)) this.setClaim(current, { status });
  }

  /** Writes a claim, its status by the subresource. */
  private setClaim(claim: Claim, change: Record<string, unknown>): Claim | undefined {
    const { api, as } = this.context;
    const { namespace, name } = claim.metadata;
    const subresource = "status" in change ? { subresource: "status" } : {};
    const target = { ...persistentVolumeClaims, namespace: namespace!, name: name!, ...subresource };
    return unless(["NotFound", "Conflict"], () => api.update(target, { ...claim, ...change }, as))?.object as
      | Claim
      | undefined;
  }

  /** A claim in use by a Pod stays until the Pod is gone (the finalizer kubernetes.io/pvc-protection). */
  private release(claim: Claim): void {
    const { store } = this.context;
    const finalizer = "kubernetes.io/pvc-protection";
    if (!claim.metadata.finalizers?.includes(finalizer)) return;
    const used = store.list(pods, claim.metadata.namespace).some((pod) => {
      const { volumes } = (pod["spec"] ?? {}) as { volumes?: { persistentVolumeClaim?: { claimName: string } }[] };
      return volumes?.some((v) => v.persistentVolumeClaim?.claimName === claim.metadata.name);
    });
    if (used) return;
    const finalizers = claim.metadata.finalizers.filter((f) => f !== finalizer);
    this.setClaim(claim, { metadata: { ...claim.metadata, finalizers } });
  }

  private syncVolume(name: string): void {
    const { store, api, as } = this.context;
    const volume = store.get(persistentVolumes, "", name) as Volume | undefined;
    if (volume === undefined) return;
    const reference = volume.spec?.claimRef;
    const claim = reference && store.get(persistentVolumeClaims, reference.namespace ?? "", reference.name ?? "");
    const phase = !reference?.uid ? "Available" : claim?.metadata.uid === reference.uid ? "Bound" : "Released";
    const target = { ...persistentVolumes, name };
    if (volume.status?.phase !== phase) {
      const body = { ...volume, status: { ...volume.status, phase } };
      unless(["NotFound", "Conflict"], () => api.update({ ...target, subresource: "status" }, body, as));
    }
    const provisioned = volume.metadata.annotations?.["pv.kubernetes.io/provisioned-by"];
    const reclaimed = phase === "Released" && volume.spec?.persistentVolumeReclaimPolicy === "Delete" && provisioned;
    if (reclaimed && !volume.metadata.deletionTimestamp) unless(["NotFound"], () => api.delete(target, {}, as));
    const latest = store.get(persistentVolumes, "", name);
    // Nothing uses it any more: the finalizer kubernetes.io/pv-protection goes.
    if (latest?.metadata.deletionTimestamp && phase !== "Bound" && latest.metadata.finalizers?.length) {
      const finalizers = latest.metadata.finalizers.filter((f) => f !== "kubernetes.io/pv-protection");
      const body = { ...latest, metadata: { ...latest.metadata, finalizers } };
      if (finalizers.length < latest.metadata.finalizers.length)
        unless(["NotFound", "Conflict"], () => api.update(target, body, as));
    }
  }
}

function refersTo(volume: Volume, claim: Claim): boolean {
  const reference = volume.spec?.claimRef;
  return (
    reference?.name === claim.metadata.name &&
    reference?.namespace === claim.metadata.namespace &&
    (!reference?.uid || reference.uid === claim.metadata.uid)
  );
}
