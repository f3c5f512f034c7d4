import { ApiError } from "../api/api-error.ts";
import { copy, equal, type KubeObject, type ObjectMeta } from "../api/object.ts";
import type { TypeCatalog } from "../schema/type-catalog.ts";
import type { TypeSchema } from "../schema/type-schema.ts";
import {
  difference,
  type FieldSet,
  intersection,
  isEmpty,
  paths,
  recursiveDifference,
  showPath,
  toFieldsV1,
  union,
} from "./field-set.ts";
import { compare, fieldsOf } from "./owned-fields.ts";
import { mergeApplied, removeFields } from "./typed-merge.ts";

export type ManagedFieldsEntry = NonNullable<ObjectMeta["managedFields"]>[number];

/** Who writes, and to which part of the object. */
export interface Writer {
  manager: string;
  apiVersion: string;
  subresource?: string;
  /** RFC 3339. */
  now: string;
}

interface Manager {
  entry: ManagedFieldsEntry;
  set: FieldSet;
}

/** Fields nobody can own: the server sets them. */
const neverOwned: FieldSet = {
  "f:apiVersion": {},
  "f:kind": {},
  "f:metadata": {
    "f:name": {},
    "f:namespace": {},
    "f:creationTimestamp": {},
    "f:deletionTimestamp": {},
    "f:deletionGracePeriodSeconds": {},
    "f:selfLink": {},
    "f:uid": {},
    "f:generation": {},
    "f:managedFields": {},
    "f:resourceVersion": {},
  },
};
const statusOnly: FieldSet = { "f:status": {} };

/**
 * The managedFields after a create, update or patch: the writer owns what it changed, everyone else loses it
 * (https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management).
 *
 * @param before the stored object; undefined on create
 * @param after what is about to be stored
 */
export function managedFieldsAfterUpdate(
  catalog: TypeCatalog,
  typeName: string,
  before: KubeObject | undefined,
  after: KubeObject,
  writer: Writer,
): ManagedFieldsEntry[] {
  const managers = readManagers(before);
  const changes = compare(catalog, typeName, before ?? zeroObject(catalog, typeName), after);
  const ignored = ignoredFor(writer.subresource);
  const changed = recursiveDifference(recursiveDifference(union(changes.added, changes.modified), neverOwned), ignored);
  const { removed } = changes;
  if (isEmpty(changed) && isEmpty(removed)) return managers.map((m) => m.entry);
  const kept: Manager[] = [];
  let own: Manager | undefined;
  for (const manager of managers) {
    const left = recursiveDifference(manager.set, removed);
    if (isSame(manager.entry, writer, "Update")) own = { ...manager, set: left };
    else kept.push(withSet(manager, difference(left, changed)));
  }
  const set = union(own?.set ?? {}, changed);
  const before_ =
    own === undefined
      ? undefined
      : toFieldsV1(readManagers(before).find((m) => isSame(m.entry, writer, "Update"))!.set);
  const fieldsV1 = toFieldsV1(set);
  const time = own !== undefined && equal(before_, fieldsV1) ? own.entry.time : writer.now;
  if (!isEmpty(set)) kept.push({ entry: entryOf(writer, "Update", fieldsV1, time), set });
  return sortEntries(kept.filter((m) => !isEmpty(m.set)).map((m) => m.entry));
}

export interface Applied {
  /** The live object with the configuration laid over it; managedFields included. */
  object: KubeObject;
  /** False when the configuration changes neither a value nor an owner. */
  changed: boolean;
}

/**
 * Server-side apply (KEP-555): lays `config` over the live object.
 *
 * @param config the applied configuration, decoded, without defaults
 * @throws ApiError 409 that lists the conflicts, when others own what would change and `force` is not set
 */
export function applyServerSide(
  catalog: TypeCatalog,
  typeName: string,
  live: KubeObject | undefined,
  config: KubeObject,
  writer: Writer,
  force: boolean,
): Applied {
  const base = live ?? startOf(config);
  const managers = beforeFirstApply(catalog, typeName, readManagers(live), live, writer);
  const ignored = ignoredFor(writer.subresource);
  const owned = recursiveDifference(recursiveDifference(fieldsOf(catalog, typeName, config), neverOwned), ignored);
  const last = managers.find((m) => isSame(m.entry, writer, "Apply"));
  const others = managers.filter((m) => m !== last);

  const merged = mergeApplied(catalog, typeName, base, config) as KubeObject;
  const released = last === undefined ? {} : difference(last.set, owned);
  const keep = others.reduce<FieldSet>((all, m) => union(all, m.set), owned);
  const pruned = (isEmpty(released) ? merged : removeFields(catalog, typeName, merged, released, keep)) as KubeObject;

  const changes = compare(catalog, typeName, live ?? {}, pruned);
  const changing = recursiveDifference(union(changes.added, changes.modified), neverOwned);
  const conflicts = others
    .map((m) => ({ entry: m.entry, fields: [...paths(intersection(m.set, changing))] }))
    .filter((c) => c.fields.length > 0);
  if (conflicts.length > 0 && !force) throw conflictError(conflicts);

  const remaining = others.map((m) => withSet(m, recursiveDifference(difference(m.set, changing), changes.removed)));
  const fieldsV1 = toFieldsV1(owned);
  const same = last !== undefined && equal(last.entry.fieldsV1, fieldsV1);
  const valueChanged = !isEmpty(changing) || !isEmpty(recursiveDifference(changes.removed, neverOwned));
  const time = same && !valueChanged ? last.entry.time : writer.now;
  const own = { entry: entryOf(writer, "Apply", fieldsV1, time), set: owned };
  const managedFields = sortEntries([own, ...remaining].filter((m) => !isEmpty(m.set)).map((m) => m.entry));
  const changed = valueChanged || !equal(withoutTimes(managedFields), withoutTimes(live?.metadata.managedFields ?? []));
  return { object: { ...pruned, metadata: { ...pruned.metadata, managedFields } }, changed };
}

/** An object that was never applied has one more owner: whoever made it what it is. */
function beforeFirstApply(
  catalog: TypeCatalog,
  typeName: string,
  managers: Manager[],
  live: KubeObject | undefined,
  writer: Writer,
): Manager[] {
  if (live === undefined || managers.length > 0) return managers;
  const set = recursiveDifference(fieldsOf(catalog, typeName, withoutManagedFields(live)), neverOwned);
  const entry = entryOf({ ...writer, manager: "before-first-apply" }, "Update", toFieldsV1(set), writer.now);
  return [{ entry, set }];
}

function readManagers(object: KubeObject | undefined): Manager[] {
  return (object?.metadata.managedFields ?? []).map((entry) => ({ entry, set: (entry.fieldsV1 ?? {}) as FieldSet }));
}

function withSet(manager: Manager, set: FieldSet): Manager {
  if (set === manager.set) return manager;
  return { set, entry: { ...manager.entry, fieldsV1: toFieldsV1(set) } };
}

function isSame(entry: ManagedFieldsEntry, writer: Writer, operation: "Apply" | "Update"): boolean {
  return (
    entry.manager === writer.manager &&
    entry.operation === operation &&
    (entry.subresource ?? "") === (writer.subresource ?? "") &&
    entry.apiVersion === writer.apiVersion
  );
}

function entryOf(
  writer: Writer,
  operation: "Apply" | "Update",
  fieldsV1: Record<string, unknown>,
  time: string | undefined,
): ManagedFieldsEntry {
  return {
    apiVersion: writer.apiVersion,
    fieldsType: "FieldsV1",
    fieldsV1,
    manager: writer.manager,
    operation,
    ...(writer.subresource === undefined || writer.subresource === "" ? {} : { subresource: writer.subresource }),
    ...(time === undefined ? {} : { time }),
  };
}

/** Apply first, then by time, then by name, as the API server keeps them. */
function sortEntries(entries: ManagedFieldsEntry[]): ManagedFieldsEntry[] {
  const rank = (e: ManagedFieldsEntry) =>
    `${e.operation === "Apply" ? 0 : 1}${e.time ?? ""}${e.manager}${e.apiVersion}${e.subresource ?? ""}`;
  return [...entries].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/** A write to the object itself owns nothing of its status, a write to the status nothing else. */
function ignoredFor(subresource: string | undefined): FieldSet {
  return subresource === undefined || subresource === "" ? statusOnly : {};
}

/** What a Go struct of the type prints before anything is set: the fields that are always there are nobody's. */
function zeroObject(catalog: TypeCatalog, typeName: string): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  const { properties = {}, required = [] } = catalog.get(typeName);
  for (const [name, field] of Object.entries(properties)) {
    if (isDefaultStruct(field)) object[name] = zeroObject(catalog, field.ref!);
    else if (field.default !== undefined) object[name] = field.default;
    else if (required.includes(name) && catalog.resolve(field).type === "array") object[name] = [];
  }
  return object;
}

function isDefaultStruct(field: TypeSchema): boolean {
  return field.ref !== undefined && equal(field.default, {});
}

function startOf(config: KubeObject): KubeObject {
  return { apiVersion: config.apiVersion, kind: config.kind, metadata: {} };
}

function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = copy(object.metadata);
  return { ...object, metadata };
}

function withoutTimes(entries: readonly ManagedFieldsEntry[]): unknown[] {
  return entries.map(({ time: _, ...rest }) => rest);
}

function conflictError(conflicts: { entry: ManagedFieldsEntry; fields: (readonly string[])[] }[]): ApiError {
  const all = conflicts.flatMap(({ entry, fields }) =>
    fields.map((field) => ({ owner: showOwner(entry), field: showPath(field) })),
  );
  const message =
    all.length === 1
      ? `Apply failed with 1 conflict: conflict with ${all[0]!.owner}: ${all[0]!.field}`
      : `Apply failed with ${all.length} conflicts: ${conflicts
          .map(({ entry, fields }) => ({ owner: showOwner(entry), fields: fields.map((f) => `- ${showPath(f)}`) }))
          .sort((a, b) => (a.owner < b.owner ? -1 : 1))
          .map(({ owner, fields }) => `conflicts with ${owner}:\n${fields.join("\n")}`)
          .join("\n")}`;
  return new ApiError(409, "Conflict", message, {
    causes: all.map(({ owner, field }) => ({
      reason: "FieldManagerConflict",
      message: `conflict with ${owner}`,
      field,
    })),
  });
}

function showOwner(entry: ManagedFieldsEntry): string {
  const subresource = entry.subresource ? ` with subresource ${JSON.stringify(entry.subresource)}` : "";
  const name = `${JSON.stringify(entry.manager)}${subresource}`;
  if (entry.operation !== "Update") return name;
  return `${name} using ${entry.apiVersion}${entry.time === undefined ? "" : ` at ${entry.time}`}`;
}
