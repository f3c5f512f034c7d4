import type { KubeObject } from "../api/object.ts";

/** Of the classes annotated as default the newest, then the first by name. */
export function defaultOf<T extends KubeObject>(classes: readonly T[], annotation: string): T | undefined {
  const created = (c: T) => Date.parse(String(c.metadata.creationTimestamp));
  return classes
    .filter((c) => c.metadata.annotations?.[annotation] === "true")
    .sort((a, b) => created(b) - created(a) || (a.metadata.name! < b.metadata.name! ? -1 : 1))[0];
}
