import { copy } from "../api/object.ts";
import type { TypeCatalog } from "../schema/type-catalog.ts";
import type { TypeSchema } from "../schema/type-schema.ts";
import { type FieldSet, has, at as subtree } from "./field-set.ts";
import { keyElement, shapeOf, valueElement } from "./typed-value.ts";

/**
 * An applied configuration laid over the live object: atomic values are replaced, maps and lists with keys merged, sets
 * united (structured-merge-diff, Merge). Items of the configuration keep its order. Returns a new object.
 */
export function mergeApplied(catalog: TypeCatalog, typeName: string, live: unknown, applied: unknown): unknown {
  return merge(catalog, { ref: typeName }, live, applied);
}

function merge(catalog: TypeCatalog, schema: TypeSchema | undefined, live: unknown, applied: unknown): unknown {
  if (applied === undefined) return copy(live);
  if (live === undefined || live === null) return copy(applied);
  const shape = shapeOf(catalog, schema, applied);
  if (shape.kind === "atomic" || Array.isArray(live) !== Array.isArray(applied)) return copy(applied);
  if (shape.kind === "map") {
    if (typeof live !== "object") return copy(applied);
    const out: Record<string, unknown> = { ...(copy(live) as Record<string, unknown>) };
    for (const [name, value] of Object.entries(applied as Record<string, unknown>)) {
      out[name] = merge(catalog, shape.field(name), (live as Record<string, unknown>)[name], value);
    }
    return out;
  }
  const elementOf = (item: unknown) =>
    shape.kind === "set" ? valueElement(item) : (keyElement(catalog, shape, item) ?? valueElement(item));
  const rest = new Map((live as unknown[]).map((item) => [elementOf(item), item]));
  const own = (applied as unknown[]).map((item) => {
    const element = elementOf(item);
    const before = rest.get(element);
    return { element, item: shape.kind === "keyed" ? merge(catalog, shape.items, before, item) : item };
  });
  // Items only the live object has keep their place relative to those both have.
  const out: unknown[] = [];
  const pending = [...own];
  const ownElements = new Set(own.map((o) => o.element));
  for (const [element, item] of rest) {
    if (!ownElements.has(element)) {
      out.push(copy(item));
      continue;
    }
    while (pending.length > 0 && own.findIndex((o) => o.element === element) >= own.length - pending.length) {
      out.push(pending.shift()!.item);
    }
  }
  return [...out, ...pending.map((o) => o.item)];
}

/**
 * The object without the fields of `remove`; an item or map that is itself in the set goes whole, unless `keep` has it
 * or something in it. Returns a new object.
 */
export function removeFields(
  catalog: TypeCatalog,
  typeName: string,
  object: unknown,
  remove: FieldSet,
  keep: FieldSet,
): unknown {
  return withoutNulls(without(catalog, { ref: typeName }, object, remove, keep));
}

/** What was emptied is null until here, so that what holds it does not count as emptied too. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutNulls(member)]));
}

function without(
  catalog: TypeCatalog,
  schema: TypeSchema | undefined,
  value: unknown,
  remove: FieldSet,
  keep: FieldSet | undefined,
): unknown {
  const shape = shapeOf(catalog, schema, value);
  const goes = (element: string) => has(remove, [element]) && subtree(keep ?? {}, [element]) === undefined;
  switch (shape.kind) {
    case "atomic":
      return value;
    case "map": {
      const out: Record<string, unknown> = {};
      for (const [name, child] of Object.entries(value as Record<string, unknown>)) {
        const element = `f:${name}`;
        if (goes(element)) continue;
        const inside = remove[element];
        const next = inside === undefined ? child : without(catalog, shape.field(name), child, inside, keep?.[element]);
        // A map or list that was emptied was there for what it held.
        out[name] = next !== child && isEmptyContainer(next) && !isEmptyContainer(child) ? null : next;
      }
      return out;
    }
    case "set":
      return (value as unknown[]).filter((item) => !goes(valueElement(item)));
    case "keyed":
      return (value as unknown[]).flatMap((item) => {
        const element = keyElement(catalog, shape, item);
        if (element === undefined) return [item];
        if (goes(element)) return [];
        const inside = remove[element];
        return [inside === undefined ? item : without(catalog, shape.items, item, inside, keep?.[element])];
      });
  }
}

function isEmptyContainer(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
