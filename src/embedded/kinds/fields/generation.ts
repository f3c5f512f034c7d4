import { equal, type KubeObject } from "../../api/object.ts";

/** A new object of a kind that has no status starts at generation 1. */
export function startGeneration(object: KubeObject): void {
  object.metadata.generation = 1;
}

/** A new object starts at generation 1 with nothing but the zeroes of its status, whatever the client sent. */
export function startWith(status: Record<string, unknown>): (object: KubeObject) => void {
  return (object) => {
    startGeneration(object);
    object["status"] = { ...status };
  };
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
