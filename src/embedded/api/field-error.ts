/** One finding of validation, worded as k8s.io/apimachinery/pkg/util/validation/field does. */
export interface FieldError {
  /** `reason` of the StatusCause. */
  type:
    | "FieldValueRequired"
    | "FieldValueInvalid"
    | "FieldValueTypeInvalid"
    | "FieldValueNotSupported"
    | "FieldValueDuplicate"
    | "FieldValueForbidden"
    | "FieldValueTooLong"
    | "FieldValueTooMany"
    | "FieldValueNotFound"
    | "InternalError";
  /** `spec.template.spec.containers[0].name`; the path of StatusCause.field. */
  field: string;
  /** The text after `field: `, for example `Invalid value: -1: must be greater than or equal to 0`. */
  message: string;
}

/** A value as Go prints it inside a field error: strings quoted, structs as JSON. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return "null";
  return typeof value === "number" || typeof value === "boolean" ? String(value) : JSON.stringify(value);
}

export const fieldError = {
  required: (field: string, detail = ""): FieldError => make("FieldValueRequired", field, "Required value", detail),
  invalid: (field: string, value: unknown, detail: string): FieldError =>
    make("FieldValueInvalid", field, `Invalid value: ${shown(value)}`, detail),
  typeInvalid: (field: string, value: unknown, detail: string): FieldError =>
    make("FieldValueTypeInvalid", field, `Invalid value: ${shown(value)}`, detail),
  notSupported: (field: string, value: unknown, allowed: readonly string[]): FieldError =>
    make(
      "FieldValueNotSupported",
      field,
      `Unsupported value: ${shown(value)}`,
      allowed.length > 0 ? `supported values: ${allowed.map((v) => JSON.stringify(v)).join(", ")}` : "",
    ),
  duplicate: (field: string, value: unknown): FieldError =>
    make("FieldValueDuplicate", field, `Duplicate value: ${shown(value)}`, ""),
  forbidden: (field: string, detail: string): FieldError => make("FieldValueForbidden", field, "Forbidden", detail),
  tooLong: (field: string, maxLength: number): FieldError =>
    make("FieldValueTooLong", field, "Too long", `may not be more than ${maxLength} bytes`),
  tooMany: (field: string, actual: number, max: number): FieldError =>
    make("FieldValueTooMany", field, `Too many: ${actual}`, `must have at most ${max} items`),
  notFound: (field: string, value: unknown): FieldError =>
    make("FieldValueNotFound", field, `Not found: ${shown(value)}`, ""),
};

function make(type: FieldError["type"], field: string, head: string, detail: string): FieldError {
  return { type, field, message: detail === "" ? head : `${head}: ${detail}` };
}
