import types from "./internal-form.json" with { type: "json" };

/** Go struct -> its fields in order: [name, type], "" for an embedded struct. */
const structs = types as unknown as Record<string, [field: string, type: string][]>;

type Json = Record<string, unknown>;

/** In the server's internal form these belong to the security context. */
const hostFields = ["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"];

/**
 * A Pod's spec in the API server's internal form, as it prints it in some messages: Go's field names, every unset
 * field, and the host's namespaces as part of the security context.
 */
export function internalPodSpec(spec: object): Json {
  const given = spec as Json;
  const host = Object.fromEntries(hostFields.map((field) => [field, given[field]]));
  const context = given["securityContext"] as Json | undefined;
  return internalForm({ ...given, securityContext: { ...context, ...host } }, "PodSpec");
}

/** Any struct that a Pod's spec contains, with Go's field names; `struct` is its Go type. */
export function internalForm(value: Json, struct: string): Json {
  const out: Json = {};
  const byLowerName = new Map(Object.entries(value).map(([key, v]) => [key.toLowerCase(), v]));
  for (const [field, type] of structs[struct] ?? []) {
    if (field === "") Object.assign(out, internalForm(value, type));
    else out[field] = fieldForm(byLowerName.get(field.toLowerCase()), type);
  }
  return out;
}

function fieldForm(value: unknown, type: string): unknown {
  if (type.startsWith("[]")) {
    return Array.isArray(value) ? value.map((item) => internalForm(item as Json, type.slice(2))) : null;
  }
  if (type.startsWith("*")) return value ? internalForm(value as Json, type.slice(1)) : null;
  if (structs[type]) return internalForm((value ?? {}) as Json, type);
  return sortedKeys(value) ?? zero(type);
}

function zero(type: string): unknown {
  switch (type) {
    case "bool":
      return false;
    case "int":
      return 0;
    case "quantity":
      return "0";
    case "object":
      return {};
    case "null":
      return null;
    default:
      return "";
  }
}

/** Go prints maps in the order of their keys. */
function sortedKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
