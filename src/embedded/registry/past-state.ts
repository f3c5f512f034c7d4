import type { KubeObject } from "../api/object.ts";
import type { GroupResource } from "../api/resource.ts";
import type { Store, StoreEvent } from "../store/store.ts";

/**
 * The objects of a resource as they were at a revision, in the order of etcd's keys: the present ones with every change
 * since then undone.
 *
 * @param namespace of one namespace only
 * @throws ApiError 410 when the store's history does not reach back that far
 */
export function stateAt(
  store: Store,
  gr: GroupResource,
  namespace: string | undefined,
  revision: number,
): readonly KubeObject[] {
  const changes: StoreEvent[] = [];
  store.watch(gr, (change) => changes.push(change), revision)();
  const present = store.list(gr, namespace);
  if (changes.length === 0) return present;
  const objects = new Map(present.map((object) => [keyOf(object), object]));
  for (const { object, previous } of changes.reverse()) {
    if (namespace !== undefined && object.metadata.namespace !== namespace) continue;
    if (previous === undefined) objects.delete(keyOf(object));
    else objects.set(keyOf(object), previous);
  }
  return [...objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
}

/** Sorts as etcd's keys do. */
export function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ""}/${metadata.name}`;
}
