import type { TypeCatalog } from "../schema/type-catalog.ts";
import { intOrStringType, quantityType, type TypeSchema } from "../schema/type-schema.ts";

/** How server-side apply looks at a value: whole, field by field, or item by item. */
export type Shape =
  | { kind: "atomic" }
  /** A struct or a granular map. `declared`: the fields of a struct. */
  | { kind: "map"; field(name: string): TypeSchema | undefined; declared(name: string): boolean }
  | { kind: "set" }
  | { kind: "keyed"; keys: readonly string[]; items: TypeSchema };

/** The shape of a field by its schema and by what the value is (a value that does not fit is taken whole). */
export function shapeOf(catalog: TypeCatalog, schema: TypeSchema | undefined, value: unknown): Shape {
  if (schema === undefined) return untyped(value);
  const resolved = catalog.resolve(schema);
  if (schema.ref === quantityType || schema.ref === intOrStringType) return { kind: "atomic" };
  const mapType = schema["map-type"] ?? resolved["map-type"];
  const listType = schema["list-type"] ?? resolved["list-type"];
  if (Array.isArray(value)) {
    if (listType === "set") return { kind: "set" };
    if (listType === "map") {
      const keys = schema["list-map-keys"] ?? resolved["list-map-keys"] ?? [];
      return { kind: "keyed", keys, items: resolved.items ?? {} };
    }
    return { kind: "atomic" };
  }
  if (typeof value !== "object" || value === null || mapType === "atomic") return { kind: "atomic" };
  if (resolved.properties !== undefined) {
    const { properties, preserveUnknown } = resolved;
    return {
      kind: "map",
      field: (name) => (Object.hasOwn(properties, name) ? properties[name] : undefined),
      declared: (name) => Object.hasOwn(properties, name) || preserveUnknown !== true,
    };
  }
  if (resolved.values !== undefined) return { kind: "map", field: () => resolved.values, declared: () => false };
  // An object without any schema (RawExtension, FieldsV1) is taken whole.
  return resolved.preserveUnknown ? untyped(value) : { kind: "atomic" };
}

/** Custom resources without a schema: maps field by field, lists whole. */
function untyped(value: unknown): Shape {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? { kind: "map", field: () => undefined, declared: () => false }
    : { kind: "atomic" };
}

/** The path element of an item of a keyed list: `k:{"containerPort":80,"protocol":"TCP"}`. Undefined without any key. */
export function keyElement(
  catalog: TypeCatalog,
  shape: { keys: readonly string[]; items: TypeSchema },
  item: unknown,
): string | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const fields = catalog.resolve(shape.items).properties ?? {};
  const key: Record<string, unknown> = {};
  for (const name of [...shape.keys].sort()) {
    const value = (item as Record<string, unknown>)[name] ?? fields[name]?.default;
    if (value !== undefined) key[name] = value;
  }
  return Object.keys(key).length === 0 ? undefined : `k:${JSON.stringify(key)}`;
}

export function valueElement(item: unknown): string {
  return `v:${JSON.stringify(item)}`;
}
