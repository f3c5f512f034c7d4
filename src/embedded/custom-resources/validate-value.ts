import { RE2JS } from "re2js";
import { type FieldError, fieldError, shown } from "../api/field-error.ts";
import { equal } from "../api/object.ts";
import type { JsonSchema } from "./json-schema.ts";

/**
 * What is wrong with a custom resource by its schema, in the words of the API server (kube-openapi's validation, as
 * apiextensions reports it). `path` is the field's, "" for the object itself; metadata is not looked at there.
 */
export function validateValue(schema: JsonSchema, value: unknown, path: string): FieldError[] {
  if (value === null && schema.nullable) return [];
  const where = `${path} in body`;
  const invalid = (what: string) => fieldError.invalid(path, value, `${where} ${what}`);
  if (schema["x-kubernetes-int-or-string"]) {
    return typeof value === "string" || Number.isInteger(value)
      ? combined(schema, value, path)
      : [typeError("integer,string", value, path)];
  }
  if (schema.type !== undefined && !hasType(schema.type, value)) return [typeError(schema.type, value, path)];
  const errors: FieldError[] = [];
  if (schema.enum !== undefined && !schema.enum.some((allowed) => equal(allowed, value))) {
    errors.push(fieldError.notSupported(path, value, schema.enum.map(String)));
  }
  if (typeof value === "string") errors.push(...stringErrors(schema, value, path, invalid));
  if (typeof value === "number") errors.push(...numberErrors(schema, value, invalid));
  if (Array.isArray(value)) errors.push(...arrayErrors(schema, value, path, invalid));
  else if (typeof value === "object" && value !== null)
    errors.push(...objectErrors(schema, value as Record<string, unknown>, path, invalid));
  return [...errors, ...combined(schema, value, path)];
}

type Invalid = (what: string) => FieldError;

function stringErrors(schema: JsonSchema, value: string, path: string, invalid: Invalid): FieldError[] {
  const errors: FieldError[] = [];
  const length = [...value].length;
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    errors.push({
      type: "FieldValueTooLong",
      field: path,
      message: `Too long: may not be more than ${schema.maxLength} bytes`,
    });
  }
  if (schema.minLength !== undefined && length < schema.minLength) {
    errors.push(invalid(`should be at least ${schema.minLength} chars long`));
  }
  if (schema.pattern !== undefined && !matches(schema.pattern, value))
    errors.push(invalid(`should match '${schema.pattern}'`));
  if (schema.format === "date-time" && Number.isNaN(Date.parse(value))) {
    errors.push(invalid(`must be of type date-time: ${JSON.stringify(value)}`));
  }
  return errors;
}

function numberErrors(schema: JsonSchema, value: number, invalid: Invalid): FieldError[] {
  const errors: FieldError[] = [];
  const { minimum, maximum, multipleOf } = schema;
  if (maximum !== undefined && (schema.exclusiveMaximum ? value >= maximum : value > maximum)) {
    errors.push(invalid(`should be less than ${schema.exclusiveMaximum ? "" : "or equal to "}${maximum}`));
  }
  if (minimum !== undefined && (schema.exclusiveMinimum ? value <= minimum : value < minimum)) {
    errors.push(invalid(`should be greater than ${schema.exclusiveMinimum ? "" : "or equal to "}${minimum}`));
  }
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) {
    errors.push(invalid(`should be a multiple of ${multipleOf}`));
  }
  return errors;
}

function arrayErrors(schema: JsonSchema, value: unknown[], path: string, invalid: Invalid): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.maxItems !== undefined && value.length > schema.maxItems)
    errors.push(fieldError.tooMany(path, value.length, schema.maxItems));
  if (schema.minItems !== undefined && value.length < schema.minItems) {
    errors.push(invalid(`should have at least ${schema.minItems} items`));
  }
  for (const [i, item] of value.entries()) {
    if (schema.items !== undefined) errors.push(...validateValue(schema.items, item, `${path}[${i}]`));
    if (isRepeated(schema, value, item, i)) errors.push(fieldError.duplicate(`${path}[${i}]`, keyOf(schema, item)));
  }
  return errors;
}

/** Sets have each value once, maps each key. */
function isRepeated(schema: JsonSchema, all: unknown[], item: unknown, index: number): boolean {
  const listType = schema["x-kubernetes-list-type"];
  if (listType !== "set" && listType !== "map" && !schema.uniqueItems) return false;
  return all.slice(0, index).some((earlier) => equal(keyOf(schema, earlier), keyOf(schema, item)));
}

function keyOf(schema: JsonSchema, item: unknown): unknown {
  if (schema["x-kubernetes-list-type"] !== "map") return item;
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  return Object.fromEntries(keys.map((key) => [key, (item as Record<string, unknown> | null)?.[key]]));
}

function objectErrors(
  schema: JsonSchema,
  value: Record<string, unknown>,
  path: string,
  invalid: Invalid,
): FieldError[] {
  const errors: FieldError[] = [];
  const at = (name: string) => (path === "" ? name : `${path}.${name}`);
  for (const name of schema.required ?? []) if (value[name] === undefined) errors.push(fieldError.required(at(name)));
  const count = Object.keys(value).length;
  if (schema.maxProperties !== undefined && count > schema.maxProperties) {
    errors.push(fieldError.tooMany(path, count, schema.maxProperties));
  }
  if (schema.minProperties !== undefined && count < schema.minProperties) {
    errors.push(invalid(`should have at least ${schema.minProperties} properties`));
  }
  for (const [name, member] of Object.entries(value)) {
    if (path === "" && ["apiVersion", "kind", "metadata"].includes(name)) continue;
    const own = schema.properties?.[name];
    const other = typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
    const inner = own ?? other;
    if (inner !== undefined && member !== undefined) errors.push(...validateValue(inner, member, at(name)));
  }
  return errors;
}

/** allOf, anyOf, oneOf and not, which in structural schemas only restrict. */
function combined(schema: JsonSchema, value: unknown, path: string): FieldError[] {
  const errors = (schema.allOf ?? []).flatMap((part) => validateValue(part, value, path));
  const fitting = (parts: JsonSchema[]) => parts.filter((part) => validateValue(part, value, path).length === 0).length;
  const name = JSON.stringify(path === "" ? "<nil>" : path);
  if (schema.anyOf !== undefined && fitting(schema.anyOf) === 0) {
    errors.push(fieldError.invalid(path, value, `${name} must validate at least one schema (anyOf)`));
  }
  if (schema.oneOf !== undefined && fitting(schema.oneOf) !== 1) {
    errors.push(
      fieldError.invalid(
        path,
        value,
        `${name} must validate one and only one schema (oneOf). Found ${fitting(schema.oneOf) === 0 ? "none valid" : `${fitting(schema.oneOf)} valid alternatives`}`,
      ),
    );
  }
  if (schema.not !== undefined && validateValue(schema.not, value, path).length === 0) {
    errors.push(fieldError.invalid(path, value, `${name} must not validate the schema (not)`));
  }
  return errors;
}

function typeError(type: string, value: unknown, path: string): FieldError {
  const is =
    value === null
      ? "null"
      : Array.isArray(value)
        ? "array"
        : typeof value === "number"
          ? Number.isInteger(value)
            ? "integer"
            : "number"
          : typeof value;
  return {
    type: "FieldValueTypeInvalid",
    field: path === "" ? "<nil>" : path,
    message: `Invalid value: ${JSON.stringify(is)}: ${path} in body must be of type ${type}: ${shown(is)}`,
  };
}

function hasType(type: string, value: unknown): boolean {
  switch (type) {
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number";
    default:
      return typeof value === type;
  }
}

/** Go's regular expressions, found anywhere in the value. A pattern that is none matches nothing. */
function matches(pattern: string, value: string): boolean {
  try {
    return RE2JS.compile(pattern).matcher(value).find();
  } catch {
    return false;
  }
}
