import type { KubeObject } from "../api/object.ts";
import type { GroupResource } from "../api/resource.ts";

/** What a change did; `object` of a deletion is the last state, with the deletion's resourceVersion. */
export interface StoreEvent {
  type: "ADDED" | "MODIFIED" | "DELETED";
  object: KubeObject;
  /** The state before the change; absent for ADDED. */
  previous?: KubeObject;
  revision: number;
}

/**
 * Every object of the cluster, by group/resource, namespace ("" for cluster-scoped) and name, with one global
 * revision. All calls are synchronous and act on memory; `durable` tells when a revision has reached the disk, and the
 * server waits for it before it answers a write or sends a watch event. Objects handed out are never changed in place.
 */
export interface Store {
  /** The revision of the last change. */
  readonly revision: number;
  get(gr: GroupResource, namespace: string, name: string): KubeObject | undefined;
  /** All objects of a resource, of one namespace if given, in the order of etcd's keys (namespace, then name). */
  list(gr: GroupResource, namespace?: string): readonly KubeObject[];
  /** Creates or replaces; sets metadata.resourceVersion on a copy, which it returns. */
  put(gr: GroupResource, object: KubeObject): KubeObject;
  /** Removes; returns the last state with the deletion's resourceVersion, or undefined if there was none. */
  remove(gr: GroupResource, namespace: string, name: string): KubeObject | undefined;
  /**
   * Calls `listener` for each change of the resource after `since` (exclusive; default: from now on): first, at once,
   * for those in the history, then as they happen, synchronously inside `put` and `remove`. A listener must not write.
   * Throws ApiError 410 when the history no longer reaches back to `since`.
   */
  watch(gr: GroupResource, listener: (event: StoreEvent) => void, since?: number): () => void;
  /** Declares an index: `keys` gives the values under which an object is found by `byIndex`. Idempotent by name. */
  addIndex(gr: GroupResource, index: string, keys: (object: KubeObject) => string[]): void;
  byIndex(gr: GroupResource, index: string, key: string): readonly KubeObject[];
  /** Resolves when every change up to `revision` would survive the death of the process. */
  durable(revision: number): Promise<void>;
  /** Flushes and closes. */
  close(): Promise<void>;
}
