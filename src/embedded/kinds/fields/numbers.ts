import { type FieldError, fieldError } from "../../api/field-error.ts";
import { type IntOrString, percentOf } from "../../api/int-or-string.ts";
import { percentErrors, portNameErrors, portNumberErrors } from "../../api/names.ts";
import { parseQuantity } from "../../api/quantity.ts";

/** A number that may be absent, zero or more. */
export function nonNegative(value: number | undefined, path: string): FieldError[] {
  return (value ?? 0) >= 0 ? [] : [fieldError.invalid(path, value, "must be greater than or equal to 0")];
}

/** A number above zero; an absent one counts as zero. */
export function positive(value: number | undefined, path: string): FieldError[] {
  return (value ?? 0) > 0 ? [] : [fieldError.invalid(path, value ?? 0, "must be greater than zero")];
}

/** A quantity that is zero or more. */
export function nonNegativeQuantity(text: string, path: string): FieldError[] {
  return parseQuantity(text).nano >= 0n ? [] : [fieldError.invalid(path, text, "must be greater than or equal to 0")];
}

/** A number from zero up, or a percentage. */
export function nonNegativeIntOrPercent(value: IntOrString | undefined, path: string): FieldError[] {
  if (typeof value === "string") return percentErrors(value).map((e) => fieldError.invalid(path, value, e));
  return nonNegative(value, path);
}

/** A percentage may be at most 100%. */
export function atMost100Percent(value: IntOrString | undefined, path: string): FieldError[] {
  const percent = percentErrors(String(value)).length === 0 ? percentOf(value) : undefined;
  return percent !== undefined && percent > 100
    ? [fieldError.invalid(path, value, "must not be greater than 100%")]
    : [];
}

/** The number itself or that of the percentage; 0 for what is neither. */
export function intOrPercentValue(value: IntOrString | undefined): number {
  return typeof value === "number" ? value : (percentOf(value) ?? 0);
}

/** A port's number, or the name of a container's port. */
export function portNumberOrName(value: IntOrString | undefined, path: string): FieldError[] {
  const port = value ?? 0;
  const errors = typeof port === "number" ? portNumberErrors(port) : portNameErrors(port);
  return errors.map((e) => fieldError.invalid(path, port, e));
}
