import { copy, equal, type KubeObject } from "../../api/object.ts";
import { type GroupResource, groupResource } from "../../api/resource.ts";
import type { Controller, ControllerContext } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { type ResourceCatalogue, targetOf, watchResources } from "../framework/resource-catalogue.ts";
import { WorkQueue } from "../framework/work-queue.ts";
import { classifyOwners, foregroundFinalizer, isDeletingDependents, orphanFinalizer, resourceOf } from "./owners.ts";

const byOwner = "ownerUid";
const byUid = "uid";

/**
 * Deletes what has lost its owners, and sees through foreground deletions and orphaning
 * (https://kubernetes.io/docs/concepts/architecture/garbage-collection/). The owners' graph is the store's index of
 * objects by their owners' uids.
 */
export class GarbageCollector implements Controller {
  readonly name = "garbage-collector-controller";
  private readonly queue: WorkQueue;
  private resources: GroupResource[] = [];
  private stopWatching = () => {};

  constructor(
    private readonly context: ControllerContext,
    private readonly catalogue: ResourceCatalogue,
  ) {
    this.queue = new WorkQueue(
      context.clock,
      (key) => this.sync(key),
      (key, error) => context.log(`garbage collector, ${key}: ${error}`),
    );
  }

  start(): void {
    const { store } = this.context;
    this.stopWatching = watchResources(
      store,
      this.catalogue,
      (resource) => !(resource.group === "" && resource.resource === "events"),
      (resource) => {
        this.resources.push(resource);
        store.addIndex(resource, byOwner, (o) => (o.metadata.ownerReferences ?? []).map((owner) => owner.uid));
        store.addIndex(resource, byUid, (o) => [o.metadata.uid ?? ""]);
        for (const object of store.list(resource)) this.observe(resource, object);
      },
      (event, resource) => {
        if (event.type !== "DELETED") {
          this.observe(resource, event.object, event.previous);
          return;
        }
        for (const dependent of this.dependentsOf(event.object)) this.enqueue(dependent.resource, dependent.object);
        this.releaseOwners(event.object);
      },
    );
  }

  stop(): void {
    this.stopWatching();
    this.queue.stop();
    this.resources = [];
  }

  private observe(resource: GroupResource, object: KubeObject, previous?: KubeObject): void {
    const { metadata } = object;
    const owned = (metadata.ownerReferences ?? []).length > 0;
    const ending = metadata.deletionTimestamp && (metadata.finalizers ?? []).length > 0;
    if ((owned && !equal(previous?.metadata.ownerReferences, metadata.ownerReferences)) || ending) {
      this.enqueue(resource, object);
    }
    // A dependent that no longer blocks its owner lets the owner go.
    if (previous?.metadata.ownerReferences?.length) this.releaseOwners(previous);
  }

  private releaseOwners(dependent: KubeObject): void {
    for (const reference of dependent.metadata.ownerReferences ?? []) {
      if (!reference.blockOwnerDeletion) continue;
      const resource = resourceOf(reference, this.catalogue);
      if (resource === undefined) continue;
      const namespace = resource.namespaced ? (dependent.metadata.namespace ?? "") : "";
      const owner = this.context.store.get(resource, namespace, reference.name);
      if (owner !== undefined && isDeletingDependents(owner)) this.enqueue(resource, owner);
    }
  }

  private enqueue(resource: GroupResource, object: KubeObject): void {
    this.queue.add(`${groupResource(resource)}|${object.metadata.namespace ?? ""}|${object.metadata.name}`);
  }

  private sync(key: string): void {
    const [plural = "", namespace = "", name = ""] = key.split("|");
    const resource = this.resources.find((r) => groupResource(r) === plural);
    const object = resource && this.context.store.get(resource, namespace, name);
    if (resource === undefined || object === undefined) return;
    const finalizers = object.metadata.finalizers ?? [];
    if (object.metadata.deletionTimestamp) {
      if (finalizers.includes(orphanFinalizer)) this.orphanDependents(resource, object);
      else if (finalizers.includes(foregroundFinalizer)) this.deleteDependents(resource, object);
      return;
    }
    if (object.metadata.ownerReferences?.length) this.collect(resource, object);
  }

  /** Deletes an object without a living owner; one that has some loses the references to the others. */
  private collect(resource: GroupResource, object: KubeObject): void {
    const { store, api, as, events } = this.context;
    const owners = classifyOwners(object, store, this.catalogue);
    const reported = [...owners.misplaced, ...owners.dangling.filter((r) => this.livesElsewhere(r.uid, object))];
    for (const reference of reported) {
      const where = object.metadata.namespace ?? "";
      const message = `ownerRef [${reference.apiVersion}/${reference.kind}, namespace: ${where}, name: ${reference.name}, uid: ${reference.uid}] does not exist in namespace ${JSON.stringify(where)}`;
      events.record(object, "Warning", "OwnerRefInvalidNamespace", message, { component: this.name });
    }
    if (owners.unknown.length > 0 || owners.misplaced.length > 0) return;
    if (owners.solid.length > 0) {
      this.dropReferences(resource, object, new Set([...owners.dangling, ...owners.waiting].map((r) => r.uid)));
      return;
    }
    const finalizers = object.metadata.finalizers ?? [];
    const waitsForOwn = owners.waiting.length > 0 && this.dependentsOf(object).length > 0;
    const propagationPolicy =
      waitsForOwn || finalizers.includes(foregroundFinalizer)
        ? "Foreground"
        : finalizers.includes(orphanFinalizer)
          ? "Orphan"
          : "Background";
    if (waitsForOwn) this.unblockInCycle(resource, object);
    const preconditions = { uid: object.metadata.uid! };
    unless(["NotFound", "Conflict"], () =>
      api.delete(targetOf(resource, object), { propagationPolicy, preconditions }, as),
    );
  }

  /** Two objects that own each other would wait for each other forever: the reference stops blocking. */
  private unblockInCycle(resource: GroupResource, object: KubeObject): void {
    if (!this.dependentsOf(object).some((d) => isDeletingDependents(d.object))) return;
    const references = object.metadata.ownerReferences ?? [];
    if (!references.some((r) => r.blockOwnerDeletion)) return;
    this.writeReferences(
      resource,
      object,
      references.map((r) => ({ ...r, blockOwnerDeletion: false })),
    );
  }

  private deleteDependents(resource: GroupResource, owner: KubeObject): void {
    const uid = owner.metadata.uid;
    const dependents = this.dependentsOf(owner);
    const blocking = dependents.filter(({ object }) =>
      object.metadata.ownerReferences?.some((r) => r.uid === uid && r.blockOwnerDeletion),
    );
    for (const { resource: itsResource, object } of dependents) {
      if (!object.metadata.deletionTimestamp) this.enqueue(itsResource, object);
    }
    if (blocking.length === 0) this.removeFinalizer(resource, owner, foregroundFinalizer);
  }

  private orphanDependents(resource: GroupResource, owner: KubeObject): void {
    const uids = new Set([owner.metadata.uid!]);
    for (const { resource: itsResource, object } of this.dependentsOf(owner)) {
      this.dropReferences(itsResource, object, uids);
    }
    this.removeFinalizer(resource, owner, orphanFinalizer);
  }

  private dropReferences(resource: GroupResource, object: KubeObject, uids: Set<string>): void {
    if (uids.size === 0) return;
    const references = (object.metadata.ownerReferences ?? []).filter((r) => !uids.has(r.uid));
    this.writeReferences(resource, object, references);
  }

  private writeReferences(resource: GroupResource, object: KubeObject, references: unknown[]): void {
    const metadata: Record<string, unknown> = {
      uid: object.metadata.uid,
      resourceVersion: object.metadata.resourceVersion,
      ownerReferences: references.length > 0 ? references : null,
    };
    const { api, as } = this.context;
    unless(["NotFound"], () => api.patch(targetOf(resource, object), "application/merge-patch+json", { metadata }, as));
  }

  private removeFinalizer(resource: GroupResource, object: KubeObject, finalizer: string): void {
    const latest = this.context.store.get(resource, object.metadata.namespace ?? "", object.metadata.name!);
    if (latest === undefined || latest.metadata.uid !== object.metadata.uid) return;
    const finalizers = (copy(latest.metadata.finalizers) ?? []).filter((f) => f !== finalizer);
    const metadata = {
      resourceVersion: latest.metadata.resourceVersion,
      finalizers: finalizers.length > 0 ? finalizers : null,
    };
    const { api, as } = this.context;
    unless(["NotFound"], () => api.patch(targetOf(resource, object), "application/merge-patch+json", { metadata }, as));
  }

  private dependentsOf(owner: KubeObject): { resource: GroupResource; object: KubeObject }[] {
    const uid = owner.metadata.uid;
    if (uid === undefined) return [];
    return this.resources.flatMap((resource) =>
      this.context.store.byIndex(resource, byOwner, uid).map((object) => ({ resource, object })),
    );
  }

  /** True for the uid of an object of another namespace: a reference across namespaces, which is not allowed. */
  private livesElsewhere(uid: string, dependent: KubeObject): boolean {
    const namespace = dependent.metadata.namespace;
    return this.resources.some((resource) =>
      this.context.store
        .byIndex(resource, byUid, uid)
        .some((o) => o.metadata.namespace && o.metadata.namespace !== namespace),
    );
  }
}
