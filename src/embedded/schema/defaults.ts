import { copy } from "../api/object.ts";
import type { TypeCatalog } from "./type-catalog.ts";
import type { TypeSchema } from "./type-schema.ts";

/**
 * Fills in the defaults that types declare. They are of two sorts, and both show when an object is read back: values
 * the API machinery sets (protocol TCP), and the zero values that Go prints for fields without omitempty (resources {},
 * the counters of a status). Changes `object`.
 */
export function applyDeclaredDefaults(catalog: TypeCatalog, typeName: string, object: Record<string, unknown>): void {
  fill(catalog, catalog.get(typeName), object);
}

const withDefaults = new WeakMap<TypeSchema, boolean>();

function fill(catalog: TypeCatalog, schema: TypeSchema, value: unknown): void {
  if (value === null || typeof value !== "object" || !reaches(catalog, schema, new Set())) return;
  if (Array.isArray(value)) {
    if (schema.items !== undefined) {
      const items = catalog.resolve(schema.items);
      for (const item of value) fill(catalog, items, item);
    }
    return;
  }
  const object = value as Record<string, unknown>;
  if (schema.values !== undefined) {
    const values = catalog.resolve(schema.values);
    for (const item of Object.values(object)) fill(catalog, values, item);
    return;
  }
  for (const { name, field, inside } of fieldsWithDefaults(catalog, schema)) {
    if (object[name] === undefined) {
      if (field.default === undefined) continue;
      object[name] = copy(field.default);
    }
    if (inside !== undefined) fill(catalog, inside, object[name]);
  }
}

interface FieldWithDefaults {
  name: string;
  field: TypeSchema;
  /** The field's type, where defaults can be met in it. */
  inside: TypeSchema | undefined;
}

const fieldLists = new WeakMap<TypeSchema, FieldWithDefaults[]>();

/** The fields of a type that have a default or lead to one: few of many. */
function fieldsWithDefaults(catalog: TypeCatalog, schema: TypeSchema): FieldWithDefaults[] {
  const known = fieldLists.get(schema);
  if (known !== undefined) return known;
  const list = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const type = catalog.resolve(field);
    const inside = reaches(catalog, type, new Set()) ? type : undefined;
    return field.default === undefined && inside === undefined ? [] : [{ name, field, inside }];
  });
  fieldLists.set(schema, list);
  return list;
}

/** Whether any default can be met from here; most of a Pod has none, and need not be walked. */
function reaches(catalog: TypeCatalog, schema: TypeSchema, seen: Set<TypeSchema>): boolean {
  const known = withDefaults.get(schema);
  if (known !== undefined) return known;
  if (seen.has(schema)) return false;
  seen.add(schema);
  const parts = [...Object.values(schema.properties ?? {}), schema.items, schema.values].filter((p) => p !== undefined);
  const answer = parts.some((part) => part.default !== undefined || reaches(catalog, catalog.resolve(part), seen));
  // Inside a cycle "no" may only mean "not yet known".
  if (answer || seen.size === 1) withDefaults.set(schema, answer);
  return answer;
}
