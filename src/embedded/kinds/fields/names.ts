import { type FieldError, fieldError } from "../../api/field-error.ts";
import { dns1123LabelErrors, dns1123SubdomainErrors, type NameCheck } from "../../api/names.ts";
import { equal } from "../../api/object.ts";

/** What `check` finds wrong with `value`, as field errors. */
export function named(value: string, path: string, check: NameCheck): FieldError[] {
  return check(value).map((e) => fieldError.invalid(path, value, e));
}

/** An RFC 1123 label; required. */
export function requiredLabel(value: string | undefined, path: string): FieldError[] {
  return value ? named(value, path, dns1123LabelErrors) : [fieldError.required(path)];
}

/** An RFC 1123 subdomain; required. */
export function requiredSubdomain(value: string | undefined, path: string): FieldError[] {
  return value ? named(value, path, dns1123SubdomainErrors) : [fieldError.required(path)];
}

/** One of a few words; required. `order` of the allowed values is that of the server's message. */
export function oneOf(value: string | undefined, path: string, allowed: readonly string[]): FieldError[] {
  if (!value) return [fieldError.required(path)];
  return allowed.includes(value) ? [] : [fieldError.notSupported(path, value, allowed)];
}

/** A field that no update may change. */
export function immutable(value: unknown, old: unknown, path: string): FieldError[] {
  return equal(value ?? null, old ?? null) ? [] : [fieldError.invalid(path, value ?? null, "field is immutable")];
}
