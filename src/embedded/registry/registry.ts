import { apiError } from "../api/api-error.ts";
import type { KubeObject } from "../api/object.ts";
import { equal } from "../api/object.ts";
import type {
  Api,
  DeleteOptions,
  ListOptions,
  ListResult,
  PatchType,
  RequestContext,
  Target,
  WatchEvent,
  WatchOptions,
} from "./api.ts";
import { fromStorage } from "./conversion.ts";
import type { RegistryCore } from "./core.ts";
import { deleteObject } from "./deletion.ts";
import { Lister } from "./listing.ts";
import { applied, patched } from "./patching.ts";
import { decodeBody } from "./request-body.ts";
import type { ResourceDefinition } from "./resource-catalogue.ts";
import { assertTarget, bindPod } from "./subresources/binding.ts";
import { chargeBudget } from "./subresources/eviction.ts";
import { finalizeNamespace } from "./subresources/finalize.ts";
import { scaleOf, withScale } from "./subresources/scale.ts";
import { subresourceBody } from "./subresources/subresource-body.ts";
import { watchResource } from "./watching.ts";
import { type Ownership, storeNew, storeUpdate } from "./write.ts";

/** The API server without HTTP: see `Api`. */
export class Registry implements Api {
  private readonly lister: Lister;

  constructor(readonly core: RegistryCore) {
    this.lister = new Lister(core);
  }

  get(target: Target, _context: RequestContext): KubeObject {
    const definition = this.definition(target);
    if (target.subresource !== "scale") return this.live(definition, target);
    const object = this.find(definition, target);
    if (object === undefined) throw scaleNotFound(definition.info, target.name ?? "");
    return scaleOf(definition, object);
  }

  list(target: Target, options: ListOptions, _context: RequestContext): ListResult {
    return this.lister.list(this.definition(target), target, options);
  }

  watch(
    target: Target,
    options: WatchOptions,
    listener: (event: WatchEvent) => void,
    _context: RequestContext,
  ): () => void {
    return watchResource(this.core, this.definition(target), target, options, listener);
  }

  create(target: Target, body: unknown, context: RequestContext): KubeObject {
    const definition = this.definition(target);
    switch (target.subresource) {
      case undefined:
      case "":
        return this.storeNew(definition, target, decodeBody(this.core, definition, body, context), context);
      case "binding":
        return this.bind(definition, target, body, context);
      case "eviction":
        return this.evict(definition, target, body, context);
      default:
        throw apiError.methodNotSupported(definition.info, "create");
    }
  }

  update(target: Target, body: unknown, context: RequestContext): { object: KubeObject; created: boolean } {
    const definition = this.definition(target);
    const live = this.find(definition, target);
    if (target.subresource === "scale") {
      const current = live ?? this.missing(definition, target);
      const scale = subresourceBody(this.core, definition, "Scale", body, context);
      const next = withScale(definition, current, scale);
      const object = this.storeUpdate(definition, target, next, current, context);
      return { object: scaleOf(definition, object), created: false };
    }
    const object = decodeBody(this.core, definition, body, context);
    if (live === undefined) {
      if (!definition.strategy?.allowCreateOnUpdate || target.subresource) throw this.notFound(definition, target);
      return { object: this.storeNew(definition, target, object, context), created: true };
    }
    if (target.subresource === "finalize") {
      return { object: finalizeNamespace(this.core, live, object, context), created: false };
    }
    if (definition.strategy?.allowUnconditionalUpdate === false && !object.metadata.resourceVersion) {
      throw apiError.invalid(definition.info, target.name!, [
        {
          type: "FieldValueInvalid",
          field: "metadata.resourceVersion",
          message: "Invalid value: 0: must be specified for an update",
        },
      ]);
    }
    return { object: this.storeUpdate(definition, target, object, live, context), created: false };
  }

  patch(
    target: Target,
    type: PatchType,
    patch: unknown,
    context: RequestContext,
  ): { object: KubeObject; created: boolean } {
    const definition = this.definition(target);
    const live = this.find(definition, target);
    if (target.subresource === "scale") {
      const current = live ?? this.missing(definition, target);
      const scale = {
        info: { group: "autoscaling", version: "v1", kind: "Scale" },
        typeName: "io.k8s.api.autoscaling.v1.Scale",
      };
      const plain = type === "application/apply-patch+yaml" ? "application/merge-patch+json" : type;
      const next = patched(
        this.core,
        { ...definition, strategy: undefined, ...scale } as ResourceDefinition,
        plain,
        scaleOf(definition, current),
        patch,
        context,
      );
      const object = this.storeUpdate(definition, target, withScale(definition, current, next), current, context);
      return { object: scaleOf(definition, object), created: false };
    }
    if (type === "application/apply-patch+yaml") return this.apply(definition, target, live, patch, context);
    const current = live ?? this.missing(definition, target);
    const object = patched(this.core, definition, type, current, patch, context);
    return { object: this.storeUpdate(definition, target, object, current, context), created: false };
  }

  delete(target: Target, options: DeleteOptions, context: RequestContext): { object: KubeObject; deleted: boolean } {
    const definition = this.definition(target);
    const live = this.core.store.get(definition.storage, this.namespaceOf(definition, target), target.name ?? "");
    if (live === undefined) throw this.notFound(definition, target);
    return deleteObject(this.core, definition, target, live, options, context);
  }

  deleteCollection(
    target: Target,
    list: ListOptions,
    options: DeleteOptions,
    context: RequestContext,
  ): { items: KubeObject[] } {
    const definition = this.definition(target);
    const { items } = this.lister.list(definition, target, { ...list, limit: undefined, continue: undefined });
    return {
      items: items.map((item) => {
        const one = { ...target, namespace: item.metadata.namespace, name: item.metadata.name };
        const live = this.core.store.get(definition.storage, item.metadata.namespace ?? "", item.metadata.name ?? "");
        return live === undefined ? item : deleteObject(this.core, definition, one, live, options, context).object;
      }),
    };
  }

  /** @throws ApiError 404 for a resource that is not served */
  definition(target: Target): ResourceDefinition {
    const definition = this.core.resources.find(target, target.version);
    if (definition === undefined) throw apiError.noSuchPath();
    return definition;
  }

  private apply(
    definition: ResourceDefinition,
    target: Target,
    live: KubeObject | undefined,
    config: unknown,
    context: RequestContext,
  ): { object: KubeObject; created: boolean } {
    if (live === undefined && target.subresource) throw this.notFound(definition, target);
    const { object, changed } = applied(this.core, definition, live, config, target, context);
    if (live === undefined) {
      return { object: this.storeNew(definition, target, object, context, "given"), created: true };
    }
    // The configuration's own resourceVersion, if it has one, is a precondition.
    const given = (config as { metadata?: { resourceVersion?: string } }).metadata?.resourceVersion;
    object.metadata.resourceVersion = given ?? live.metadata.resourceVersion;
    if (!changed && given === undefined) {
      const { managedFields: _, ...metadata } = object.metadata;
      const { managedFields: __, ...liveMetadata } = live.metadata;
      if (equal({ ...object, metadata }, { ...live, metadata: liveMetadata })) return { object: live, created: false };
    }
    return { object: this.storeUpdate(definition, target, object, live, context, "given"), created: false };
  }

  private bind(definition: ResourceDefinition, target: Target, body: unknown, context: RequestContext): KubeObject {
    const binding = subresourceBody(this.core, definition, "Binding", body, context);
    assertNamed(binding, target, "Binding");
    assertTarget(binding);
    const pod = this.live(definition, target);
    if (!context.dryRun) bindPod(this.core, pod, binding);
    return success(201);
  }

  private evict(definition: ResourceDefinition, target: Target, body: unknown, context: RequestContext): KubeObject {
    const eviction = subresourceBody(this.core, definition, "Eviction", body, context);
    assertNamed(eviction, target, "Eviction");
    const pod = this.live(definition, target);
    const options = ((eviction as { deleteOptions?: DeleteOptions & { dryRun?: string[] } }).deleteOptions ??
      {}) as DeleteOptions & {
      dryRun?: string[];
    };
    const dryRun = context.dryRun === true || (options.dryRun?.length ?? 0) > 0;
    chargeBudget(this.core, pod, dryRun);
    if (!dryRun) deleteObject(this.core, definition, target, pod, options, context);
    return success(201);
  }

  /** Stores a new object in the version in which its resource is stored; answers in the request's. */
  private storeNew(
    definition: ResourceDefinition,
    target: Target,
    object: KubeObject,
    context: RequestContext,
    ownership?: Ownership,
  ): KubeObject {
    const stored = this.core.resources.stored(definition);
    const answer = storeNew(this.core, stored, target, object, context, ownership);
    return stored === definition ? answer : fromStorage(definition, answer);
  }

  private storeUpdate(
    definition: ResourceDefinition,
    target: Target,
    object: KubeObject,
    live: KubeObject,
    context: RequestContext,
    ownership?: Ownership,
  ): KubeObject {
    const stored = this.core.resources.stored(definition);
    if (stored === definition) return storeUpdate(this.core, definition, target, object, live, context, ownership);
    const before = this.find(stored, target) ?? live;
    return fromStorage(definition, storeUpdate(this.core, stored, target, object, before, context, ownership));
  }

  private find(definition: ResourceDefinition, target: Target): KubeObject | undefined {
    const stored = this.core.store.get(definition.storage, this.namespaceOf(definition, target), target.name ?? "");
    return stored === undefined ? undefined : fromStorage(definition, stored);
  }

  private live(definition: ResourceDefinition, target: Target): KubeObject {
    return this.find(definition, target) ?? this.missing(definition, target);
  }

  private missing(definition: ResourceDefinition, target: Target): never {
    throw this.notFound(definition, target);
  }

  private notFound({ info }: ResourceDefinition, target: Target) {
    return apiError.notFound(info, target.name ?? "");
  }

  private namespaceOf(definition: ResourceDefinition, target: Target): string {
    return definition.info.namespaced ? (target.namespace ?? "") : "";
  }
}

/** Deployments and ReplicaSets are missed by the name of their subresource, the other kinds by their own. */
function scaleNotFound({ group, resource }: ResourceDefinition["info"], name: string) {
  const isNamed = group === "apps" && (resource === "deployments" || resource === "replicasets");
  return apiError.notFound({ group, resource: isNamed ? `${resource}/scale` : resource }, name);
}

/** A Binding or an Eviction is about the Pod on whose path it is sent. */
function assertNamed({ metadata }: KubeObject, { name }: Target, kind: string): void {
  if (metadata.name !== name) throw apiError.badRequest(`name in URL does not match name in ${kind} object`);
}

function success(code: number): KubeObject {
  return { apiVersion: "v1", kind: "Status", metadata: {}, status: "Success", code } as unknown as KubeObject;
}
