import type { V1ObjectMeta } from "@kubernetes/client-node";

/**
 * The JSON form of a client model: what travels on the wire, where a `Date` is an RFC 3339 string.
 * `Wire<V1DaemonSet>` is what the store holds and what the HTTP API answers.
 */
export type Wire<T> = T extends Date
  ? string
  : T extends (infer U)[]
    ? Wire<U>[]
    : T extends object
      ? { [K in keyof T]: Wire<T[K]> }
      : T;

export type ObjectMeta = Wire<V1ObjectMeta>;

/** Any Kubernetes object as JSON. Objects read from the store are frozen by convention: copy before changing. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

/** A deep copy of a JSON value. */
export function copy<T>(value: T): T {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(copy) as T;
  const out: Record<string, unknown> = {};
  for (const [k, v] of Object.entries(value)) out[k] = copy(v);
  return out as T;
}

/** Structural equality of two JSON values; `undefined` properties count as absent. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((v, i) => equal(v, b[i]));
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  for (const k of Object.keys(left)) if (!equal(left[k], right[k])) return false;
  for (const k of Object.keys(right)) if (right[k] !== undefined && left[k] === undefined) return false;
  return true;
}
