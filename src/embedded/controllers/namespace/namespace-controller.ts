import type { V1Namespace } from "@kubernetes/client-node";
import { ApiError } from "../../api/api-error.ts";
import { equal, type KubeObject, type Wire } from "../../api/object.ts";
import type { ResourceInfo } from "../../api/resource.ts";
import { type Controller, type ControllerContext, observe } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { deletableResources, type ResourceCatalogue, watchResources } from "../framework/resource-catalogue.ts";
import { namespaces } from "../framework/resources.ts";
import { WorkQueue } from "../framework/work-queue.ts";
import { namespaceConditions, type Remaining } from "./conditions.ts";

type Namespace = KubeObject & Wire<V1Namespace>;

/**
 * Empties a namespace that is being deleted, Pods first (OrderedNamespaceDeletion, KEP-5080), tells in its conditions
 * what is left, and gives up the finalizer `kubernetes` when nothing is.
 */
export class NamespaceController implements Controller {
  readonly name = "namespace-controller";
  private readonly queue: WorkQueue;
  private readonly stops: (() => void)[] = [];
  private readonly terminating = new Set<string>();

  constructor(
    private readonly context: ControllerContext,
    private readonly catalogue: ResourceCatalogue,
  ) {
    this.queue = new WorkQueue(
      context.clock,
      (key) => this.sync(key),
      (key, error) => context.log(`namespace ${key}: ${error}`),
    );
  }

  start(): void {
    this.stops.push(
      observe(this.context.store, namespaces, (object, _previous, deleted) => {
        const name = object.metadata.name!;
        if (deleted) this.terminating.delete(name);
        else if (object.metadata.deletionTimestamp) {
          this.terminating.add(name);
          this.queue.add(name);
        }
      }),
      watchResources(
        this.context.store,
        this.catalogue,
        (resource) => resource.namespaced,
        () => {},
        (event) => {
          const namespace = event.object.metadata.namespace ?? "";
          if (this.terminating.has(namespace)) this.queue.add(namespace);
        },
      ),
    );
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.queue.stop();
  }

  private sync(name: string): void {
    const namespace = this.context.store.get(namespaces, "", name) as Namespace | undefined;
    if (namespace === undefined || !namespace.metadata.deletionTimestamp) return;
    if (!(namespace.spec?.finalizers ?? []).includes("kubernetes")) return;
    const remaining = this.deleteContent(name);
    if (remaining.resources.size > 0 || remaining.errors.length > 0) this.report(namespace, remaining);
    else this.finalize(namespace);
    // Whatever refuses to go is tried again; what goes is heard of at once.
    if (remaining.errors.length > 0) this.queue.addAfter(name, 1000);
  }

  private deleteContent(namespace: string): Remaining {
    const remaining: Remaining = { resources: new Map(), finalizers: new Map(), errors: [] };
    const all = deletableResources(this.catalogue).filter((r) => r.namespaced);
    const isPods = (r: ResourceInfo) => r.group === "" && r.resource === "pods";
    for (const resource of all.filter(isPods)) this.deleteAll(resource, namespace, remaining);
    if (remaining.resources.size > 0) return remaining;
    for (const resource of all.filter((r) => !isPods(r))) this.deleteAll(resource, namespace, remaining);
    return remaining;
  }

  private deleteAll(resource: ResourceInfo, namespace: string, remaining: Remaining): void {
    const { store, api, as } = this.context;
    for (const object of store.list(resource, namespace)) {
      // Already on its way: what holds it is a grace period or a finalizer.
      if (object.metadata.deletionTimestamp) continue;
      const target = { group: resource.group, resource: resource.resource, namespace, name: object.metadata.name! };
      try {
        unless(["NotFound"], () => api.delete(target, { propagationPolicy: "Background" }, as));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        remaining.errors.push(error.message);
      }
    }
    const left = store.list(resource, namespace);
    if (left.length === 0) return;
    remaining.resources.set(`${resource.resource}.${resource.group}`, left.length);
    for (const object of left) {
      for (const finalizer of object.metadata.finalizers ?? []) {
        remaining.finalizers.set(finalizer, (remaining.finalizers.get(finalizer) ?? 0) + 1);
      }
    }
  }

  private report(namespace: Namespace, remaining: Remaining): void {
    const before = namespace.status?.conditions ?? [];
    const conditions = namespaceConditions(before, remaining, this.context.clock.now());
    if (equal(before, conditions)) return;
    const target = { ...namespaces, name: namespace.metadata.name!, subresource: "status" };
    const body = { ...namespace, status: { ...namespace.status, conditions } };
    unless(["NotFound", "Conflict"], () => this.context.api.update(target, body, this.context.as));
  }

  private finalize(namespace: Namespace): void {
    const { api, as, store } = this.context;
    const name = namespace.metadata.name!;
    const finalizers = (namespace.spec?.finalizers ?? []).filter((f) => f !== "kubernetes");
    const body = { ...namespace, spec: { ...namespace.spec, finalizers } };
    unless(["NotFound"], () => api.update({ ...namespaces, name, subresource: "finalize" }, body, as));
    const after = store.get(namespaces, "", name) as Namespace | undefined;
    const free = after !== undefined && !after.spec?.finalizers?.length && !after.metadata.finalizers?.length;
    if (free) unless(["NotFound", "Conflict"], () => api.delete({ ...namespaces, name }, {}, as));
  }
}
