import type { KubeObject } from "../../api/object.ts";
import { type GroupResource, groupResource, type ResourceInfo } from "../../api/resource.ts";
import type { Store, StoreEvent } from "../../store/store.ts";

/** Which resources the cluster serves now; CustomResourceDefinitions come and go. */
export interface ResourceCatalogue {
  list(): readonly ResourceInfo[];
  /** Calls `listener` after each change; the result ends it. Absent where nothing ever changes. */
  onChange?(listener: () => void): () => void;
}

/** The resources whose objects can be listed and deleted, one entry each whatever the number of served versions. */
export function deletableResources(catalogue: ResourceCatalogue): ResourceInfo[] {
  const found = new Map<string, ResourceInfo>();
  for (const resource of catalogue.list()) {
    const verbs = new Set(resource.verbs);
    if (!verbs.has("list") || !verbs.has("delete")) continue;
    // The same Events, served by two groups.
    if (resource.group === "events.k8s.io") continue;
    const key = groupResource(resource);
    if (!found.has(key)) found.set(key, resource);
  }
  return [...found.values()];
}

/**
 * Watches every resource of the catalogue that `wanted` picks, those that appear later too.
 * @param onResource called once for each such resource, before its first event
 */
export function watchResources(
  store: Store,
  catalogue: ResourceCatalogue,
  wanted: (resource: ResourceInfo) => boolean,
  onResource: (resource: GroupResource) => void,
  onEvent: (event: StoreEvent, resource: ResourceInfo) => void,
): () => void {
  const watches = new Map<string, () => void>();
  const sync = () => {
    for (const resource of deletableResources(catalogue)) {
      const key = groupResource(resource);
      if (watches.has(key) || !wanted(resource)) continue;
      onResource(resource);
      watches.set(
        key,
        store.watch(resource, (event) => onEvent(event, resource)),
      );
    }
  };
  sync();
  const end = catalogue.onChange?.(sync);
  return () => {
    end?.();
    for (const stop of watches.values()) stop();
    watches.clear();
  };
}

/** The group of `apps/v1`; "" for the core group's `v1`. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

/** Where an object of a resource lives; for calls to the API. */
export function targetOf(resource: GroupResource, object: KubeObject) {
  const { namespace, name } = object.metadata;
  return {
    group: resource.group,
    resource: resource.resource,
    ...(namespace ? { namespace } : {}),
    ...(name === undefined ? {} : { name }),
  };
}
