import type { KubeObject } from "../../api/object.ts";
import type { Claim } from "../../scheduler/filters/volumes.ts";
import { type Controller, type ControllerContext, objectKey, observe, splitKey } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import type { ContextFactory } from "../framework/identity.ts";
import { persistentVolumeClaims, persistentVolumes, storageClasses } from "../framework/resources.ts";
import { WorkQueue } from "../framework/work-queue.ts";

const provisioner = "rancher.io/local-path";
const component = "rancher.io/local-path_local-path-provisioner";

/** The default StorageClass of a kind cluster. */
export const standardStorageClass = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name: "standard", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
  provisioner,
  reclaimPolicy: "Delete",
  volumeBindingMode: "WaitForFirstConsumer",
};

/**
 * kind's provisioner: keeps the class `standard`, and gives each claim of it a directory of the node where its first
 * Pod goes (https://github.com/rancher/local-path-provisioner).
 */
export class LocalPathProvisioner implements Controller {
  readonly name = "local-path-provisioner";
  private readonly context: ControllerContext;
  private readonly queue: WorkQueue;
  private readonly stops: (() => void)[] = [];

  constructor(contextFor: ContextFactory) {
    const account = "system:serviceaccount:local-path-storage:local-path-provisioner-service-account";
    this.context = contextFor({
      user: {
        username: account,
        groups: ["system:serviceaccounts", "system:serviceaccounts:local-path-storage", "system:authenticated"],
      },
      userAgent: "local-path-provisioner/v0.0.0 (linux/amd64) kubernetes/$Format",
      fieldManager: "local-path-provisioner",
    });
    this.queue = new WorkQueue(
      this.context.clock,
      (key) => this.sync(key),
      (key, error) => this.context.log(`local-path provisioner, ${key}: ${error}`),
    );
  }

  start(): void {
    const { store, api, as, clock } = this.context;
    // Only a new cluster gets the class: whoever deletes it means it.
    if (store.list(storageClasses).length === 0) {
      clock.soon(() => {
        const target = { ...storageClasses, name: standardStorageClass.metadata.name };
        unless(["AlreadyExists"], () => api.create(target, standardStorageClass, as));
      });
    }
    this.stops.push(
      observe(store, persistentVolumeClaims, (claim, _previous, deleted) => {
        if (!deleted) this.queue.add(objectKey(claim));
      }),
    );
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.queue.stop();
  }

  private sync(key: string): void {
    const { store, api, as, events } = this.context;
    const { namespace, name } = splitKey(key);
    const claim = store.get(persistentVolumeClaims, namespace, name) as Claim | undefined;
    if (claim === undefined || claim.spec?.volumeName || claim.metadata.deletionTimestamp) return;
    const storageClass = store.get(storageClasses, "", claim.spec?.storageClassName ?? "") as
      | (KubeObject & { provisioner?: string; reclaimPolicy?: string })
      | undefined;
    const node = claim.metadata.annotations?.["volume.kubernetes.io/selected-node"];
    if (storageClass?.provisioner !== provisioner || node === undefined) return;
    const volumeName = `pvc-${claim.metadata.uid}`;
    if (store.get(persistentVolumes, "", volumeName)) return;
    const path = `/var/local-path-provisioner/${volumeName}_${namespace}_${name}`;
    const { uid, resourceVersion } = claim.metadata;
    const term = { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: [node] }] };
    const volume = {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: volumeName, annotations: { "pv.kubernetes.io/provisioned-by": provisioner } },
      spec: {
        accessModes: claim.spec?.accessModes ?? [],
        capacity: { storage: claim.spec?.resources?.requests?.["storage"] ?? "0" },
        claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", name, namespace, resourceVersion, uid },
        hostPath: { path, type: "DirectoryOrCreate" },
        nodeAffinity: { required: { nodeSelectorTerms: [term] } },
        persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? "Delete",
        storageClassName: storageClass.metadata.name,
        volumeMode: claim.spec?.volumeMode ?? "Filesystem",
      },
    };
    const started = `External provisioner is provisioning volume for claim "${namespace}/${name}"`;
    events.record(claim, "Normal", "Provisioning", started, { component });
    unless(["AlreadyExists"], () => api.create({ ...persistentVolumes, name: volumeName }, volume, as));
    const done = `Successfully provisioned volume ${volumeName}`;
    events.record(claim, "Normal", "ProvisioningSucceeded", done, { component });
  }
}
