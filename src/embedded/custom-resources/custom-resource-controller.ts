import { rfc3339 } from "../api/clock.ts";
import { copy, equal } from "../api/object.ts";
import { type Controller, type ControllerContext, observe } from "../controllers/framework/controller.ts";
import { unless } from "../controllers/framework/expected-errors.ts";
import { WorkQueue } from "../controllers/framework/work-queue.ts";
import type { ResourceCatalogue } from "../registry/resource-catalogue.ts";
import type { TypeCatalog } from "../schema/type-catalog.ts";
import { type Condition, type CustomResourceDefinition, definitionOf, typeNameOf } from "./custom-resource.ts";
import { typeOfCustomResource } from "./type-of-schema.ts";

const crds = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" };
const cleanup = "customresourcecleanup.apiextensions.k8s.io";

/**
 * Serves what CustomResourceDefinitions define, from the moment one is stored until it is gone, and tells it in their
 * conditions; a definition that is deleted takes its objects with it.
 */
export class CustomResourceController implements Controller {
  readonly name = "custom-resources";
  private readonly queue: WorkQueue;
  private readonly served = new Map<string, CustomResourceDefinition>();
  private stop_: () => void = () => {};

  constructor(
    private readonly context: ControllerContext,
    private readonly resources: ResourceCatalogue,
    private readonly types: TypeCatalog,
  ) {
    this.queue = new WorkQueue(
      context.clock,
      (key) => this.sync(key),
      (key, error) =>
        context.log(`custom resource definition ${key}: ${error instanceof Error ? error.message : String(error)}`),
    );
  }

  start(): void {
    this.stop_ = observe(this.context.store, crds, (object, _previous, deleted) => {
      const crd = object as CustomResourceDefinition;
      const name = crd.metadata.name!;
      // What is served changes at once; what has to be written waits for its turn.
      this.withdraw(name);
      if (!deleted && this.conflict(crd) === undefined) this.serve(crd);
      this.queue.add(name);
    });
  }

  stop(): void {
    this.stop_();
    this.queue.stop();
  }

  private serve(crd: CustomResourceDefinition): void {
    const { group, names, versions } = crd.spec;
    for (const version of versions) {
      if (!version.served) continue;
      const type = typeOfCustomResource(version.schema?.openAPIV3Schema);
      this.types.addCustom(typeNameOf(crd, version), [group, version.name, names.kind], type);
      this.resources.add(definitionOf(crd, version));
    }
    this.served.set(crd.metadata.name!, crd);
  }

  private withdraw(name: string): void {
    const crd = this.served.get(name);
    if (crd === undefined) return;
    for (const version of crd.spec.versions) {
      this.resources.remove({ group: crd.spec.group, version: version.name, resource: crd.spec.names.plural });
      this.types.removeCustom(typeNameOf(crd, version));
    }
    this.served.delete(name);
  }

  /** Why its names can't be accepted: another definition of the group has them. */
  private conflict(crd: CustomResourceDefinition): string | undefined {
    for (const other of this.served.values()) {
      if (other.metadata.name === crd.metadata.name || other.spec.group !== crd.spec.group) continue;
      const { kind, shortNames = [] } = other.spec.names;
      if (kind === crd.spec.names.kind) return `${JSON.stringify(kind)} is already in use`;
      const short = crd.spec.names.shortNames?.find((name) => shortNames.includes(name));
      if (short !== undefined) return `${JSON.stringify(short)} is already in use`;
    }
    return undefined;
  }

  private sync(name: string): void {
    const { store, api, as } = this.context;
    const crd = store.get(crds, "", name) as CustomResourceDefinition | undefined;
    if (crd === undefined) return;
    if (crd.metadata.deletionTimestamp !== undefined) {
      this.cleanUp(crd);
      return;
    }
    const finalizers = crd.metadata.finalizers ?? [];
    if (!finalizers.includes(cleanup)) {
      const metadata = { ...crd.metadata, finalizers: [...finalizers, cleanup] };
      unless(["NotFound", "Conflict"], () => api.update({ ...crds, name }, { ...crd, metadata }, as));
      return;
    }
    const status = this.statusOf(crd);
    if (equal(status, crd.status)) return;
    unless(["NotFound", "Conflict"], () =>
      api.update({ ...crds, name, subresource: "status" }, { ...crd, status }, as),
    );
  }

  private statusOf(crd: CustomResourceDefinition): NonNullable<CustomResourceDefinition["status"]> {
    const conflict = this.conflict(crd);
    const { names, versions } = crd.spec;
    const storage = versions.find((version) => version.storage)!.name;
    const stored = crd.status?.storedVersions ?? [];
    const conditions =
      conflict === undefined
        ? [
            this.condition(crd, "NamesAccepted", "True", "NoConflicts", "no conflicts found"),
            this.condition(crd, "Established", "True", "InitialNamesAccepted", "the initial names have been accepted"),
          ]
        : [
            this.condition(crd, "NamesAccepted", "False", "NamesConflict", conflict),
            this.condition(crd, "Established", "False", "NotAccepted", "not all names are accepted"),
          ];
    return {
      conditions,
      acceptedNames: conflict === undefined ? copy(names) : { plural: "", kind: "" },
      storedVersions: stored.includes(storage) ? stored : [...stored, storage],
    };
  }

  private condition(
    crd: CustomResourceDefinition,
    type: string,
    status: string,
    reason: string,
    message: string,
  ): Condition {
    const known = crd.status?.conditions?.find((c) => c.type === type);
    const since = known?.status === status ? known.lastTransitionTime : rfc3339(this.context.clock.now());
    return { lastTransitionTime: since, message, reason, status, type };
  }

  /** Deletes the objects, and lets the definition go when none is left. */
  private cleanUp(crd: CustomResourceDefinition): void {
    const { store, api, as } = this.context;
    const finalizers = crd.metadata.finalizers ?? [];
    if (!finalizers.includes(cleanup)) return;
    const resource = { group: crd.spec.group, resource: crd.spec.names.plural };
    for (const { metadata } of [...store.list(resource)]) {
      if (metadata.deletionTimestamp !== undefined) continue;
      const target = { ...resource, namespace: metadata.namespace, name: metadata.name };
      unless(["NotFound"], () => api.delete(target, {}, as));
    }
    const { name } = crd.metadata;
    if (store.list(resource).length > 0) {
      this.queue.addAfter(name!, 500);
      return;
    }
    const metadata = { ...crd.metadata, finalizers: finalizers.filter((finalizer) => finalizer !== cleanup) };
    unless(["NotFound", "Conflict"], () => api.update({ ...crds, name }, { ...crd, metadata }, as));
  }
}
