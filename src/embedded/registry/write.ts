import { randomUUID } from "node:crypto";
import { apiError } from "../api/api-error.ts";
import { rfc3339 } from "../api/clock.ts";
import { copy, equal, type KubeObject } from "../api/object.ts";
import { apiVersion } from "../api/resource.ts";
import { managedFieldsAfterUpdate } from "../patch/managed-fields.ts";
import { applyDeclaredDefaults } from "../schema/defaults.ts";
import type { RequestContext, Target } from "./api.ts";
import { fromStorage } from "./conversion.ts";
import { type AdmissionRequest, type RegistryCore, strategyContext } from "./core.ts";
import { randomSuffix } from "./generate-name.ts";
import { validateObjectMeta, validateObjectMetaUpdate } from "./object-meta.ts";
import type { ResourceDefinition } from "./resource-catalogue.ts";

/** How the fields of a write come to be owned. */
export type Ownership = "track" | "given";

/** Stores a new object: names it, admits, prepares, validates. `object` is decoded and defaulted, and may be changed. */
export function storeNew(
  core: RegistryCore,
  definition: ResourceDefinition,
  target: Target,
  object: KubeObject,
  context: RequestContext,
  ownership: Ownership = "track",
): KubeObject {
  const { info, strategy, storage } = definition;
  const meta = object.metadata;
  placeInNamespace(object, target, info.namespaced);
  if (target.name !== undefined && meta.name !== undefined && meta.name !== "" && target.name !== meta.name) {
    throw apiError.badRequest(
      `the name of the object (${meta.name}) does not match the name on the URL (${target.name})`,
    );
  }
  if (!meta.name && target.name) meta.name = target.name;
  if (meta.resourceVersion) throw apiError.badRequest("resourceVersion should not be set on objects to be created");
  delete meta.resourceVersion;
  delete meta.selfLink;
  delete meta.deletionTimestamp;
  delete meta.deletionGracePeriodSeconds;
  delete meta.generation;
  meta.uid = randomUUID();
  meta.creationTimestamp = rfc3339(core.clock.now()) as never;
  // The client owns what it sent and its defaults, and not what the server adds from here on.
  if (ownership === "track") {
    delete meta.managedFields;
    meta.managedFields = trackFields(core, definition, undefined, object, context, "") as never;
  }

  const request: AdmissionRequest = { operation: "CREATE", definition, target, object, old: undefined, context };
  for (const plugin of core.admission) plugin.mutate?.(request, core);
  // Plugins that mutate see no generated name yet.
  if (!meta.name && meta.generateName)
    meta.name = freeName(core, definition, target.namespace ?? "", meta.generateName);
  const about = strategyContext(core);
  if (strategy?.prepareForCreate) strategy.prepareForCreate(object, about);
  else if (definition.custom) prepareCustom(object, undefined, hasStatusSubresource(definition));
  // A status that was dropped shows its zero values again.
  applyDeclaredDefaults(core.types, definition.typeName, object);
  const errors = [...validateObjectMeta(object, info, info.namespaced), ...(strategy?.validate?.(object, about) ?? [])];
  if (errors.length > 0) throw apiError.invalid(info, meta.name ?? "", errors);
  context.warnings?.push(...(strategy?.warnings?.(object, undefined) ?? []));
  for (const plugin of core.admission) plugin.validate?.(request, core);

  if (core.store.get(storage, meta.namespace ?? "", meta.name!) !== undefined) {
    throw apiError.alreadyExists(info, meta.name!);
  }
  omitEmptyLists(object);
  if (context.dryRun) return object;
  return fromStorage(definition, core.store.put(storage, object));
}

/** A generated name that is not taken; after a few tries the taken one is told (KEP-4420). */
function freeName(
  core: RegistryCore,
  { storage, info }: ResourceDefinition,
  namespace: string,
  prefix: string,
): string {
  let name = "";
  for (let tries = 0; tries < 8; tries += 1) {
    name = prefix.slice(0, 58) + randomSuffix();
    if (core.store.get(storage, info.namespaced ? namespace : "", name) === undefined) break;
  }
  return name;
}

/**
 * Stores a new state of an object, or, when nothing changed, nothing. `object` is decoded and defaulted, and may be
 * changed.
 *
 * @param live what is stored now, in the request's version
 */
export function storeUpdate(
  core: RegistryCore,
  definition: ResourceDefinition,
  target: Target,
  object: KubeObject,
  live: KubeObject,
  context: RequestContext,
  ownership: Ownership = "track",
): KubeObject {
  const { info, strategy, storage } = definition;
  const { subresource = "" } = target;
  const meta = object.metadata;
  placeInNamespace(object, target, info.namespaced);
  if (meta.name && meta.name !== target.name) {
    throw apiError.badRequest(
      `the name of the object (${meta.name}) does not match the name on the URL (${target.name})`,
    );
  }
  meta.name = target.name!;
  if (meta.uid && meta.uid !== live.metadata.uid) {
    throw apiError.conflict(
      info,
      target.name!,
      `Precondition failed: UID in precondition: ${meta.uid}, UID in object meta: ${live.metadata.uid}`,
    );
  }
  if (meta.resourceVersion && meta.resourceVersion !== "0" && meta.resourceVersion !== live.metadata.resourceVersion) {
    throw apiError.conflict(
      info,
      target.name!,
      "the object has been modified; please apply your changes to the latest version and try again",
    );
  }
  keepWhatTheServerOwns(object, live);
  if (ownership === "track" && meta.managedFields === undefined) meta.managedFields = live.metadata.managedFields;

  const request: AdmissionRequest = { operation: "UPDATE", definition, target, object, old: live, context };
  for (const plugin of core.admission) plugin.mutate?.(request, core);
  const about = strategyContext(core);
  // A certificate request's approval is a part of its status.
  const isStatus = subresource === "status" || subresource === "approval";
  const part = strategy?.subresources?.[subresource];
  if (isStatus) {
    if (strategy?.prepareForStatusUpdate) strategy.prepareForStatusUpdate(object, live, about);
    else keepAllButStatus(object, live);
  } else if (part) part.prepareForUpdate(object, live);
  else if (strategy?.prepareForUpdate) strategy.prepareForUpdate(object, live, about);
  else if (definition.custom) prepareCustom(object, live, hasStatusSubresource(definition));
  if (!isStatus && hasStatusSubresource(definition) && "status" in live) object["status"] = live["status"];

  applyDeclaredDefaults(core.types, definition.typeName, object);
  const specific = isStatus
    ? (strategy?.validateStatusUpdate?.(object, live, about) ?? [])
    : ordered(
        strategy?.validate?.(object, about) ?? [],
        part ? part.validateUpdate(object, live) : (strategy?.validateUpdate?.(object, live, about) ?? []),
        strategy?.updateErrorsFirst,
      );
  const errors = [
    ...validateObjectMetaUpdate(object, live),
    ...validateObjectMeta(object, info, info.namespaced),
    ...specific,
  ];
  if (errors.length > 0) throw apiError.invalid(info, target.name!, errors);
  if (!isStatus) context.warnings?.push(...(strategy?.warnings?.(object, live) ?? []));
  for (const plugin of core.admission) plugin.validate?.(request, core);

  omitEmptyLists(object);
  if (ownership === "track")
    meta.managedFields = trackFields(core, definition, live, object, context, subresource) as never;
  meta.resourceVersion = live.metadata.resourceVersion;
  if (equal(object, live)) return live;
  if (context.dryRun) return object;
  if (isFinished(object, live)) {
    return fromStorage(definition, core.store.remove(storage, meta.namespace ?? "", meta.name) ?? object);
  }
  return fromStorage(definition, core.store.put(storage, object));
}

/** A patch that takes the last finalizer or owner leaves an empty list, which no answer shows. */
function omitEmptyLists({ metadata }: KubeObject): void {
  if (metadata.finalizers?.length === 0) delete metadata.finalizers;
  if (metadata.ownerReferences?.length === 0) delete metadata.ownerReferences;
}

/** The last finalizer is gone from an object that is being deleted: it goes now. */
function isFinished(object: KubeObject, live: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata;
  if (deletionTimestamp === undefined || (finalizers?.length ?? 0) > 0) return false;
  if ((live.metadata.finalizers?.length ?? 0) === 0) return false;
  return (deletionGracePeriodSeconds ?? 0) === 0;
}

function placeInNamespace(object: KubeObject, target: Target, namespaced: boolean): void {
  const wanted = namespaced ? (target.namespace ?? "") : "";
  const given = object.metadata.namespace ?? "";
  if (given !== "" && given !== wanted) {
    throw apiError.badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  if (wanted !== "") object.metadata.namespace = wanted;
}

function keepWhatTheServerOwns(object: KubeObject, live: KubeObject): void {
  const meta = object.metadata;
  const old = live.metadata;
  meta.uid = old.uid;
  meta.creationTimestamp ??= old.creationTimestamp;
  meta.generation = old.generation;
  if (old.generation === undefined) delete meta.generation;
  delete meta.selfLink;
  if (old.deletionTimestamp === undefined) {
    delete meta.deletionTimestamp;
    delete meta.deletionGracePeriodSeconds;
  } else {
    meta.deletionTimestamp = old.deletionTimestamp;
    meta.deletionGracePeriodSeconds = old.deletionGracePeriodSeconds;
  }
  if (old.generateName !== undefined) meta.generateName ??= old.generateName;
}

function ordered<T>(all: T[], update: T[], updateFirst: boolean | undefined): T[] {
  return updateFirst ? [...update, ...all] : [...all, ...update];
}

function hasStatusSubresource({ info, strategy }: ResourceDefinition): boolean {
  return strategy?.prepareForUpdate === undefined && (info.subresources?.some((s) => s.name === "status") ?? false);
}

/** Custom resources: a new generation with every change of anything but metadata and status. */
function prepareCustom(object: KubeObject, old: KubeObject | undefined, hasStatus: boolean): void {
  if (old === undefined) {
    object.metadata.generation = 1;
    if (hasStatus) delete object["status"];
    return;
  }
  const { metadata: _, ...next } = object;
  const { metadata: __, ...before } = old;
  // With a status of its own, only the rest makes a new generation; and the status is not this request's to change.
  if (hasStatus) next["status"] = before["status"];
  object.metadata.generation = (old.metadata.generation ?? 1) + (equal(next, before) ? 0 : 1);
}

function keepAllButStatus(object: KubeObject, live: KubeObject): void {
  const status = object["status"];
  for (const key of Object.keys(object)) if (key !== "metadata") delete object[key];
  Object.assign(object, copy({ ...live, metadata: object.metadata }));
  if (status === undefined) delete object["status"];
  else object["status"] = status;
}

function trackFields(
  core: RegistryCore,
  definition: ResourceDefinition,
  live: KubeObject | undefined,
  object: KubeObject,
  context: RequestContext,
  subresource: string,
): unknown {
  // A client that sends `managedFields: []` (an empty list or one empty entry) wants them gone.
  const given = object.metadata.managedFields;
  const reset = live !== undefined && given !== undefined && given.length === 0;
  const before = reset && live !== undefined ? { ...live, metadata: { ...live.metadata, managedFields: [] } } : live;
  return managedFieldsAfterUpdate(core.types, definition.typeName, before, object, {
    manager: context.fieldManager ?? managerOf(context.userAgent),
    apiVersion: apiVersion(definition.info),
    subresource,
    now: rfc3339(core.clock.now()),
  });
}

/** The user agent's first word, up to the slash. */
function managerOf(userAgent: string | undefined): string {
  return userAgent?.split("/")[0] || "unknown";
}
