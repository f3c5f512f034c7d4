import type { V1PodTemplateSpec } from "@kubernetes/client-node";
import type { Wire } from "../../api/object.ts";

export const hashLabel = "pod-template-hash";

/** The characters of generated names: no vowels and nothing that looks like one. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/** The suffix of a ReplicaSet's name and the value of its label, from its template; `collisions` makes it another. */
export function templateHash(template: Wire<V1PodTemplateSpec>, collisions = 0): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(JSON.stringify(sorted(template)) + (collisions > 0 ? String(collisions) : ""))) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return [...String(hash)].map((c) => alphabet[c.charCodeAt(0) % alphabet.length]).join("");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, v]) => v !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => [k, sorted(v)]));
}
