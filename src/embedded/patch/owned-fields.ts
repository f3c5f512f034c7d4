import { equal } from "../api/object.ts";
import type { TypeCatalog } from "../schema/type-catalog.ts";
import type { TypeSchema } from "../schema/type-schema.ts";
import { type FieldSet, insert } from "./field-set.ts";
import { keyElement, shapeOf, valueElement } from "./typed-value.ts";

/** The fields that an applied configuration names (structured-merge-diff, typed.ToFieldSet). */
export function fieldsOf(catalog: TypeCatalog, typeName: string, object: unknown): FieldSet {
  const set: FieldSet = {};
  collect(catalog, { ref: typeName }, object, [], set);
  return set;
}

function collect(
  catalog: TypeCatalog,
  schema: TypeSchema | undefined,
  value: unknown,
  path: string[],
  set: FieldSet,
): void {
  const shape = shapeOf(catalog, schema, value);
  switch (shape.kind) {
    case "atomic":
      insert(set, path);
      return;
    case "map":
      for (const [name, child] of Object.entries(value as Record<string, unknown>)) {
        if (child === undefined) continue;
        const at = [...path, `f:${name}`];
        if (isEmptyMap(child) || child === null) insert(set, at);
        else collect(catalog, shape.field(name), child, at, set);
        if (!shape.declared(name)) insert(set, at);
      }
      return;
    case "set":
      for (const item of value as unknown[]) insert(set, [...path, valueElement(item)]);
      return;
    case "keyed":
      for (const item of value as unknown[]) {
        const element = keyElement(catalog, shape, item);
        if (element === undefined) continue;
        collect(catalog, shape.items, item, [...path, element], set);
        insert(set, [...path, element]);
      }
  }
}

/** What changed between two states of an object, as server-side apply sees it (structured-merge-diff, Compare). */
export interface Comparison {
  added: FieldSet;
  modified: FieldSet;
  removed: FieldSet;
}

export function compare(catalog: TypeCatalog, typeName: string, before: unknown, after: unknown): Comparison {
  const comparison: Comparison = { added: {}, modified: {}, removed: {} };
  compareValues(catalog, { ref: typeName }, before, after, [], comparison);
  return comparison;
}

function compareValues(
  catalog: TypeCatalog,
  schema: TypeSchema | undefined,
  before: unknown,
  after: unknown,
  path: string[],
  out: Comparison,
): void {
  if (before === undefined && after === undefined) return;
  if (before === after) return;
  const there = after ?? before;
  const shape = shapeOf(catalog, schema, there);
  const bothEmpty = isEmptyOrAbsent(before) && isEmptyOrAbsent(after);
  const sameSort =
    before === undefined ||
    after === undefined ||
    (typeof before === typeof after && Array.isArray(before) === Array.isArray(after));
  if (shape.kind === "atomic" || bothEmpty || !sameSort) {
    if (before === undefined || before === null) insert(out.added, path);
    else if (after === undefined || after === null) insert(out.removed, path);
    else if (!equal(before, after)) insert(out.modified, path);
    return;
  }
  if (path.length > 0) {
    if (before === undefined) insert(out.added, path);
    if (after === undefined) insert(out.removed, path);
  }
  if (shape.kind === "map") {
    const left = (before ?? {}) as Record<string, unknown>;
    const right = (after ?? {}) as Record<string, unknown>;
    for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
      compareValues(catalog, shape.field(name), left[name], right[name], [...path, `f:${name}`], out);
    }
    return;
  }
  const elementOf = (item: unknown) => (shape.kind === "set" ? valueElement(item) : keyElement(catalog, shape, item));
  const left = byElement((before ?? []) as unknown[], elementOf);
  const right = byElement((after ?? []) as unknown[], elementOf);
  for (const element of new Set([...left.keys(), ...right.keys()])) {
    const at = [...path, element];
    if (shape.kind === "keyed") compareValues(catalog, shape.items, left.get(element), right.get(element), at, out);
    else if (!left.has(element)) insert(out.added, at);
    else if (!right.has(element)) insert(out.removed, at);
  }
}

function byElement(items: readonly unknown[], elementOf: (item: unknown) => string | undefined): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const item of items) {
    const element = elementOf(item);
    if (element !== undefined && !found.has(element)) found.set(element, item);
  }
  return found;
}

function isEmptyMap(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

function isEmptyOrAbsent(value: unknown): boolean {
  return value === undefined || value === null || isEmptyMap(value) || (Array.isArray(value) && value.length === 0);
}
