import { canonicalQuantity } from "../api/quantity.ts";
import { DecodeError } from "./decode-error.ts";
import { goNumber, goStruct, kindOf } from "./go-words.ts";
import { decodeBase64, decodeTime } from "./scalars.ts";
import type { TypeCatalog } from "./type-catalog.ts";
import { intOrStringType, microTimeType, quantityType, type TypeSchema, timeType } from "./type-schema.ts";

export interface Decoded {
  object: Record<string, unknown>;
  /** `unknown field "spec.replicas"`, in the order met. */
  strictErrors: string[];
}

/**
 * Fits a parsed body to a type as the API server's decoder does: unknown fields are taken out and reported, null counts
 * as absent, quantities become canonical. Returns a fresh object.
 *
 * @param typeName key of the catalog
 * @throws DecodeError with encoding/json's words
 */
export function decode(catalog: TypeCatalog, typeName: string, body: unknown): Decoded {
  const decoder = new Decoder(catalog);
  const schema = catalog.get(typeName);
  if (body === null || typeof body !== "object" || Array.isArray(body)) {
    throw new DecodeError(`json: cannot unmarshal ${kindOf(body)} into Go value of type ${goStruct(typeName, true)}`);
  }
  const object = decoder.struct(schema, typeName, body as Record<string, unknown>, "", "");
  return { object, strictErrors: decoder.strictErrors };
}

class Decoder {
  readonly strictErrors: string[] = [];

  constructor(private readonly catalog: TypeCatalog) {}

  /** `path` has indexes, for strict errors; `dotted` has none, as in encoding/json's own errors. */
  struct(
    schema: TypeSchema,
    typeName: string,
    body: Record<string, unknown>,
    path: string,
    dotted: string,
  ): Record<string, unknown> {
    const out: Record<string, unknown> = {};
    const properties = schema.properties ?? {};
    for (const [name, value] of Object.entries(body)) {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const at = path === "" ? name : `${path}.${name}`;
      if (field === undefined) {
        if (schema.preserveUnknown) {
          if (value !== undefined) out[name] = value;
        } else this.strictErrors.push(`unknown field "${at}"`);
        continue;
      }
      if (value === null || value === undefined) {
        if (value === null && field.nullable) out[name] = null;
        continue;
      }
      out[name] = this.value(field, value, at, dotted === "" ? name : `${dotted}.${name}`, typeName);
    }
    return out;
  }

  private value(field: TypeSchema, value: unknown, path: string, dotted: string, owner: string): unknown {
    switch (field.ref) {
      case quantityType:
        return quantity(value);
      case intOrStringType:
        return this.intOrString(value, dotted, owner);
      case timeType:
      case microTimeType:
        return decodeTime(value, field.ref === microTimeType);
    }
    const schema = this.catalog.resolve(field);
    if (schema.lenient && !isOfType(schema, value)) return value;
    if (schema.format === "int-or-string" || schema.oneOf !== undefined) return value;
    switch (schema.type) {
      case "object": {
        if (typeof value !== "object" || Array.isArray(value)) return this.refuse(value, dotted, owner, field);
        const body = value as Record<string, unknown>;
        if (schema.properties !== undefined) return this.struct(schema, field.ref ?? owner, body, path, dotted);
        if (schema.values !== undefined) return this.map(schema.values, body, path, dotted, owner);
        return value;
      }
      case "array":
        if (!Array.isArray(value)) return this.refuse(value, dotted, owner, field);
        return value.map((item, i) =>
          item === null
            ? this.zero(schema.items ?? {})
            : this.value(schema.items ?? {}, item, `${path}[${i}]`, dotted, owner),
        );
      case "string":
        if (typeof value !== "string") return this.refuse(value, dotted, owner, field);
        return schema.format === "byte" ? decodeBase64(value) : value;
      case "integer":
        if (typeof value !== "number" || !Number.isInteger(value) || outOfRange(value, schema.format)) {
          return this.refuse(value, dotted, owner, field);
        }
        return value;
      case "number":
        return typeof value === "number" ? value : this.refuse(value, dotted, owner, field);
      case "boolean":
        return typeof value === "boolean" ? value : this.refuse(value, dotted, owner, field);
      default:
        return value;
    }
  }

  private map(values: TypeSchema, body: Record<string, unknown>, path: string, dotted: string, owner: string): unknown {
    const out: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(body)) {
      out[key] =
        value === null || value === undefined
          ? this.zero(values)
          : this.value(values, value, `${path}.${key}`, dotted, owner);
    }
    return out;
  }

  private intOrString(value: unknown, dotted: string, owner: string): unknown {
    if (typeof value === "string") return value;
    if (typeof value === "number" && Number.isInteger(value) && !outOfRange(value, "int32")) return value;
    return this.refuse(value, dotted, owner, { ref: intOrStringType });
  }

  private refuse(value: unknown, dotted: string, owner: string, field: TypeSchema): never {
    const integer = this.catalog.resolve(field).type === "integer";
    const what = integer && typeof value === "number" ? `number ${goNumber(value)}` : kindOf(value);
    throw new DecodeError(
      `json: cannot unmarshal ${what} into Go struct field ${goStruct(owner, false)}.${dotted} of type ${this.goType(field)}`,
    );
  }

  /** What a null in a list or map becomes. */
  private zero(field: TypeSchema): unknown {
    if (field.ref === quantityType) return "0";
    switch (this.catalog.resolve(field).type) {
      case "string":
        return field.ref === undefined ? "" : null;
      case "integer":
      case "number":
        return 0;
      case "boolean":
        return false;
      case "array":
        return [];
      default:
        return {};
    }
  }

  private goType(field: TypeSchema): string {
    if (field.ref === intOrStringType) return "intstr.IntOrString";
    if (field.ref === quantityType) return "resource.Quantity";
    const schema = this.catalog.resolve(field);
    if (field.ref !== undefined && schema.properties !== undefined) return goStruct(field.ref, true);
    switch (schema.type) {
      case "array":
        return `[]${this.goType(schema.items ?? {})}`;
      case "object":
        return schema.values === undefined ? "map[string]interface {}" : `map[string]${this.goType(schema.values)}`;
      case "integer":
        return schema.format === "int64" ? "int64" : "int32";
      case "boolean":
        return "bool";
      case "number":
        return "float64";
      case "string":
        return schema.format === "byte" ? "[]uint8" : "string";
      default:
        return "interface {}";
    }
  }
}

function quantity(value: unknown): string {
  try {
    return canonicalQuantity(typeof value === "number" ? String(value) : typeof value === "string" ? value : "?");
  } catch (error) {
    throw new DecodeError((error as Error).message);
  }
}

function outOfRange(value: number, format: string | undefined): boolean {
  const limit = format === "int64" ? 2 ** 63 : 2 ** 31;
  return value < -limit || value >= limit;
}

/** Whether a value can be looked into as its type says. */
function isOfType({ type }: TypeSchema, value: unknown): boolean {
  if (type === "array") return Array.isArray(value);
  return type === "object" && typeof value === "object" && value !== null && !Array.isArray(value);
}
