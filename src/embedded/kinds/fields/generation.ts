import { equal, type KubeObject } from "../../api/object.ts";

/** A new object starts without status, at generation 1. */
export function startGeneration(object: KubeObject): void {
  delete object["status"];
  object.metadata.generation = 1;
}

/** An update cannot touch status; one that changes the spec is a new generation. */
export function nextGeneration(object: KubeObject, old: KubeObject): void {
  keep(object, old, "status");
  const generation = old.metadata.generation ?? 0;
  object.metadata.generation = equal(object["spec"] ?? null, old["spec"] ?? null) ? generation : generation + 1;
}

/** An update of the status subresource changes nothing else of the object's own. */
export function keepSpec(object: KubeObject, old: KubeObject): void {
  keep(object, old, "spec");
  object.metadata.generation = old.metadata.generation;
}

/** Puts back a field as it was, or was not. */
export function keep(object: KubeObject, old: KubeObject, field: string): void {
  if (old[field] === undefined) delete object[field];
  else object[field] = old[field];
}
