import type { V1Secret } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import { configMapKeyErrors } from "../../../api/names.ts";
import { equal } from "../../../api/object.ts";
import type { Kind } from "../../define.ts";
import { sortedEntries } from "../../fields/labels.ts";
import { immutable, named } from "../../fields/names.ts";

type Secret = Kind<V1Secret>;

const maxBytes = 1024 * 1024;
const serviceAccountName = "kubernetes.io/service-account.name";

export function validate(secret: Secret): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of sortedEntries(secret.data)) {
    errors.push(...named(key, `data[${key}]`, configMapKeyErrors));
    size += Buffer.from(value, "base64").length;
  }
  if (size > maxBytes) errors.push(fieldError.tooLong("data", maxBytes));
  return [...errors, ...validateType(secret)];
}

/** Keys that a Secret of a well-known type must have (https://kubernetes.io/docs/concepts/configuration/secret/#secret-types). */
function validateType(secret: Secret): FieldError[] {
  const missing = (key: string) => (secret.data?.[key] === undefined ? [fieldError.required(`data[${key}]`)] : []);
  switch (secret.type) {
    case "kubernetes.io/service-account-token":
      return secret.metadata.annotations?.[serviceAccountName]
        ? []
        : [fieldError.required(`metadata.annotations[${serviceAccountName}]`)];
    case "kubernetes.io/dockercfg":
      return [...missing(".dockercfg"), ...validateDockerConfig(secret, ".dockercfg")];
    case "kubernetes.io/dockerconfigjson":
      return [...missing(".dockerconfigjson"), ...validateDockerConfig(secret, ".dockerconfigjson")];
    case "kubernetes.io/basic-auth": {
      const lacking = [...missing("username"), ...missing("password")];
      return lacking.length === 2 ? lacking : [];
    }
    case "kubernetes.io/ssh-auth":
      return secret.data?.["ssh-privatekey"] ? [] : [fieldError.required("data[ssh-privatekey]")];
    case "kubernetes.io/tls":
      return [...missing("tls.crt"), ...missing("tls.key")];
    default:
      return [];
  }
}

function validateDockerConfig(secret: Secret, key: string): FieldError[] {
  const value = secret.data?.[key];
  if (value === undefined) return [];
  const redacted = (why: string) => [fieldError.invalid(`data[${key}]`, "<secret contents redacted>", why)];
  try {
    const text = Buffer.from(value, "base64").toString("utf8");
    if (text === "") return redacted("unexpected end of JSON input");
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && !Array.isArray(parsed)
      ? []
      : redacted(`json: cannot unmarshal ${goJsonKind(parsed)} into Go value of type map[string]interface {}`);
  } catch {
    const first = Buffer.from(value, "base64").toString("utf8").trimStart()[0] ?? "";
    return redacted(`invalid character '${first}' looking for beginning of value`);
  }
}

function goJsonKind(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

export function validateUpdate(secret: Secret, old: Secret): FieldError[] {
  const errors = immutable(secret.type, old.type, "type");
  if (!old.immutable) return errors;
  const why = "field is immutable when `immutable` is set";
  if (!secret.immutable) errors.push(fieldError.forbidden("immutable", why));
  if (!equal(secret.data ?? {}, old.data ?? {})) errors.push(fieldError.forbidden("data", why));
  return errors;
}
