import type { V1ConfigMap } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import { configMapKeyErrors } from "../../../api/names.ts";
import { equal } from "../../../api/object.ts";
import type { Kind } from "../../define.ts";
import { sortedEntries } from "../../fields/labels.ts";
import { named } from "../../fields/names.ts";

type ConfigMap = Kind<V1ConfigMap>;

const maxBytes = 1024 * 1024;

export function validate({ data, binaryData }: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of sortedEntries(data)) {
    errors.push(...named(key, `data[${key}]`, configMapKeyErrors));
    if (binaryData?.[key] !== undefined) {
      errors.push(fieldError.invalid(`data[${key}]`, key, "duplicate of key present in binaryData"));
    }
    size += Buffer.byteLength(value);
  }
  for (const [key, value] of sortedEntries(binaryData)) {
    errors.push(...named(key, `binaryData[${key}]`, configMapKeyErrors));
    size += Buffer.from(value, "base64").length;
  }
  if (size > maxBytes) errors.push(fieldError.tooLong("[]", maxBytes));
  return errors;
}

export function validateUpdate(configMap: ConfigMap, old: ConfigMap): FieldError[] {
  if (!old.immutable) return [];
  return [
    ...(configMap.immutable ? [] : [frozen("immutable")]),
    ...(["data", "binaryData"] as const)
      .filter((field) => !equal(configMap[field] ?? {}, old[field] ?? {}))
      .map((field) => frozen(field)),
  ];
}

function frozen(field: string): FieldError {
  return fieldError.forbidden(field, "field is immutable when `immutable` is set");
}
