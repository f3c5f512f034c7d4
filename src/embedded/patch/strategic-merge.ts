import { copy, equal } from "../api/object.ts";
import type { TypeCatalog } from "../schema/type-catalog.ts";
import type { TypeSchema } from "../schema/type-schema.ts";
import { isMap } from "./merge-patch.ts";
import { MalformedPatchError, PatchError } from "./patch-error.ts";

type Map_ = Record<string, unknown>;

const directive = "$patch";
const retainKeys = "$retainKeys";
const deleteFrom = "$deleteFromPrimitiveList/";
const setOrder = "$setElementOrder/";

/**
 * Strategic merge patch: like a merge patch, but lists that have a merge key are merged by it
 * (https://kubernetes.io/docs/tasks/manage-kubernetes-objects/update-api-object-kubectl-patch/, and the notes on
 * strategic merge in the community repository). Returns a new value.
 *
 * @throws PatchError when the patch does not fit (an element without its merge key, an unknown directive)
 * @throws MalformedPatchError when the patch is no object
 */
export function strategicMergePatch(catalog: TypeCatalog, typeName: string, original: Map_, patch: unknown): Map_ {
  if (!isMap(patch))
    throw new MalformedPatchError("json: cannot unmarshal array into Go value of type map[string]interface {}");
  return mergeMap(catalog, catalog.get(typeName), original, patch);
}

function mergeMap(catalog: TypeCatalog, schema: TypeSchema | undefined, original: Map_, patch: Map_): Map_ {
  if (directive in patch) {
    switch (patch[directive]) {
      case "replace":
        return stripped(catalog, schema, without(patch, directive)) as Map_;
      case "delete":
        return {};
      case "merge":
        break;
      default:
        throw new PatchError(`Unknown patch type found: ${String(patch[directive])} in map: ${JSON.stringify(patch)}`);
    }
  }
  let out: Map_ = { ...original };
  const kept = patch[retainKeys];
  if (Array.isArray(kept)) out = Object.fromEntries(Object.entries(out).filter(([key]) => kept.includes(key)));
  for (const [key, value] of Object.entries(patch)) {
    if (key === directive || key === retainKeys || key.startsWith(setOrder)) continue;
    if (key.startsWith(deleteFrom)) {
      const name = key.slice(deleteFrom.length);
      if (Array.isArray(out[name])) {
        out[name] = out[name].filter((item) => !(value as unknown[]).some((gone) => equal(gone, item)));
      }
      continue;
    }
    const field = fieldOf(catalog, schema, key);
    if (value === null) delete out[key];
    else if (isMap(value) && isMap(out[key]) && !replaces(field)) {
      out[key] = mergeMap(catalog, field && catalog.resolve(field), out[key], value);
    } else if (Array.isArray(value) && merges(field)) {
      const order = patch[`${setOrder}${key}`];
      out[key] = mergeList(catalog, field!, (out[key] as unknown[] | undefined) ?? [], value, order);
    } else out[key] = stripped(catalog, field && catalog.resolve(field), value);
  }
  for (const [key, order] of Object.entries(patch)) {
    if (!key.startsWith(setOrder) || !Array.isArray(order)) continue;
    const name = key.slice(setOrder.length);
    const field = fieldOf(catalog, schema, name);
    if (patch[name] === undefined && Array.isArray(out[name]) && merges(field)) {
      out[name] = mergeList(catalog, field!, out[name], [], order);
    }
  }
  return out;
}

function mergeList(
  catalog: TypeCatalog,
  field: TypeSchema,
  original: readonly unknown[],
  patch: readonly unknown[],
  order: unknown,
): unknown[] {
  const key = catalog.resolve(field)["patch-merge-key"] ?? field["patch-merge-key"];
  const merged = key === undefined ? union(original, patch) : mergeByKey(catalog, field, original, patch, key);
  return Array.isArray(order) ? ordered(merged, original, order, key) : merged;
}

function mergeByKey(
  catalog: TypeCatalog,
  field: TypeSchema,
  original: readonly unknown[],
  patch: readonly unknown[],
  key: string,
): unknown[] {
  const items = catalog.resolve(catalog.resolve(field).items ?? {});
  const elements = patch.map((element) => {
    if (!isMap(element)) throw new PatchError(`expected an object with ${key}, got ${JSON.stringify(element)}`);
    return element;
  });
  if (elements.some((element) => element[directive] === "replace")) {
    return elements
      .filter((element) => element[directive] !== "replace")
      .map((element) => stripped(catalog, items, element));
  }
  const out = [...original] as Map_[];
  for (const element of elements) {
    const value = element[key];
    if (value === undefined) throw new PatchError(`map: ${goMap(element)} does not contain declared merge key: ${key}`);
    const at = out.findIndex((item) => equal(item[key], value));
    if (element[directive] === "delete") {
      if (at >= 0) out.splice(at, 1);
    } else if (at >= 0) out[at] = mergeMap(catalog, items, out[at]!, element);
    else out.push(stripped(catalog, items, element) as Map_);
  }
  return out;
}

function union(original: readonly unknown[], patch: readonly unknown[]): unknown[] {
  const out = [...original];
  for (const item of patch) if (!out.some((known) => equal(known, item))) out.push(item);
  return out;
}

/** Those named in `order` in that order; the others keep their place relative to them as far as that goes. */
function ordered(
  merged: unknown[],
  original: readonly unknown[],
  order: unknown[],
  key: string | undefined,
): unknown[] {
  const identity = (item: unknown) => (key === undefined ? item : (item as Map_)[key]);
  const wanted = order.map((item) => (key === undefined || !isMap(item) ? item : item[key]));
  const named = wanted.flatMap((id) => merged.filter((item) => equal(identity(item), id)));
  const others = merged.filter((item) => !wanted.some((id) => equal(identity(item), id)));
  const place = (item: unknown) => original.findIndex((known) => equal(identity(known), identity(item)));
  const out: unknown[] = [];
  while (named.length > 0 && others.length > 0) {
    const [left, right] = [place(named[0]), place(others[0])];
    out.push(left >= 0 && right >= 0 && left < right ? named.shift() : others.shift());
  }
  return [...out, ...named, ...others];
}

/** A value that has nothing to be merged with: directives and nulls go. */
function stripped(catalog: TypeCatalog, schema: TypeSchema | undefined, value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = schema?.items && catalog.resolve(schema.items);
    return value
      .filter((item) => !(isMap(item) && (item[directive] === "delete" || isOnly(item, directive))))
      .map((item) => (isMap(item) ? stripped(catalog, items, item) : copy(item)));
  }
  if (!isMap(value)) return value;
  return mergeMap(catalog, schema, {}, without(value, directive));
}

function fieldOf(catalog: TypeCatalog, schema: TypeSchema | undefined, key: string): TypeSchema | undefined {
  if (schema === undefined) return undefined;
  const own = schema.properties?.[key] ?? schema.values;
  return own === undefined ? undefined : own.ref === undefined ? own : { ...catalog.resolve(own), ...own };
}

function merges(field: TypeSchema | undefined): boolean {
  return field?.["patch-strategy"]?.split(",").includes("merge") ?? false;
}

function replaces(field: TypeSchema | undefined): boolean {
  return field?.["patch-strategy"]?.split(",").includes("replace") ?? false;
}

function without(map: Map_, key: string): Map_ {
  const { [key]: _, ...rest } = map;
  return rest;
}

function isOnly(map: Map_, key: string): boolean {
  return Object.keys(map).length === 1 && key in map;
}

function goMap(map: Map_): string {
  return `map[${Object.entries(map)
    .map(([k, v]) => `${k}:${typeof v === "object" ? JSON.stringify(v) : String(v)}`)
    .join(" ")}]`;
}
