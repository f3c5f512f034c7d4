import { ApiError } from "../api/api-error.ts";
import type { KubeObject } from "../api/object.ts";
import { type GroupResource, groupResource } from "../api/resource.ts";
import { Collection } from "./collection.ts";
import type { Store, StoreEvent } from "./store.ts";

/** One change on its way to the disk. */
export interface StoreChange {
  gr: GroupResource;
  namespace: string;
  name: string;
  /** Absent: removed. */
  object: KubeObject | undefined;
  revision: number;
}

/** Keeps changes beyond the life of the process. */
export interface Persistence {
  /** Takes note of a change; called in order of revision. */
  append(change: StoreChange): void;
  /** Resolves when all changes up to `revision` are safe; rejects when they can't be made so (a full disk). */
  flushed(revision: number): Promise<void>;
  close(revision: number): Promise<void>;
}

/** What a store begins with. */
export interface StoreContent {
  revision: number;
  objects: Iterable<{ gr: GroupResource; object: KubeObject }>;
}

/** Changes kept for watches that begin in the past. */
const historyLength = 20_000;

interface Listener {
  call(event: StoreEvent): void;
}

/** The store of `Store`: everything in memory, and, with a Persistence, on disk too. */
export class MemoryStore implements Store {
  private readonly collections = new Map<string, Collection>();
  private readonly listeners = new Map<string, Set<Listener>>();
  private history: { key: string; event: StoreEvent }[] = [];
  /** Changes up to this revision are no longer in the history. */
  private forgotten: number;
  private current: number;

  constructor(
    content: StoreContent = { revision: 1, objects: [] },
    private readonly persistence?: Persistence,
  ) {
    this.current = content.revision;
    this.forgotten = content.revision;
    for (const { gr, object } of content.objects) this.collection(gr).set(object);
  }

  get revision(): number {
    return this.current;
  }

  get(gr: GroupResource, namespace: string, name: string): KubeObject | undefined {
    return this.collections.get(groupResource(gr))?.get(namespace, name);
  }

  list(gr: GroupResource, namespace?: string): readonly KubeObject[] {
    return this.collections.get(groupResource(gr))?.list(namespace) ?? [];
  }

  put(gr: GroupResource, object: KubeObject): KubeObject {
    const collection = this.collection(gr);
    const { namespace = "", name = "" } = object.metadata;
    const previous = collection.get(namespace, name);
    const revision = ++this.current;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
    collection.set(stored);
    this.persistence?.append({ gr, namespace, name, object: stored, revision });
    this.emit(gr, {
      type: previous === undefined ? "ADDED" : "MODIFIED",
      object: stored,
      ...(previous === undefined ? {} : { previous }),
      revision,
    });
    return stored;
  }

  remove(gr: GroupResource, namespace: string, name: string): KubeObject | undefined {
    const previous = this.collection(gr).delete(namespace, name);
    if (previous === undefined) return undefined;
    const revision = ++this.current;
    const last = { ...previous, metadata: { ...previous.metadata, resourceVersion: String(revision) } };
    this.persistence?.append({ gr, namespace, name, object: undefined, revision });
    this.emit(gr, { type: "DELETED", object: last, previous, revision });
    return last;
  }

  watch(gr: GroupResource, listener: (event: StoreEvent) => void, since?: number): () => void {
    const key = groupResource(gr);
    if (since !== undefined) {
      if (since < this.forgotten) {
        throw new ApiError(410, "Expired", `too old resource version: ${since} (${this.forgotten + 1})`);
      }
      for (const entry of this.history.slice(this.firstAfter(since))) if (entry.key === key) listener(entry.event);
    }
    let listeners = this.listeners.get(key);
    if (listeners === undefined) {
      listeners = new Set();
      this.listeners.set(key, listeners);
    }
    const own: Listener = { call: listener };
    listeners.add(own);
    return () => listeners.delete(own);
  }

  addIndex(gr: GroupResource, index: string, keys: (object: KubeObject) => string[]): void {
    this.collection(gr).addIndex(index, keys);
  }

  byIndex(gr: GroupResource, index: string, key: string): readonly KubeObject[] {
    return this.collection(gr).byIndex(index, key);
  }

  async durable(revision: number): Promise<void> {
    await this.persistence?.flushed(revision);
  }

  async close(): Promise<void> {
    this.listeners.clear();
    await this.persistence?.close(this.current);
  }

  private collection(gr: GroupResource): Collection {
    const key = groupResource(gr);
    let collection = this.collections.get(key);
    if (collection === undefined) {
      collection = new Collection();
      this.collections.set(key, collection);
    }
    return collection;
  }

  private emit(gr: GroupResource, event: StoreEvent): void {
    const key = groupResource(gr);
    this.history.push({ key, event });
    if (this.history.length > historyLength * 1.1) {
      const dropped = this.history.length - historyLength;
      this.forgotten = this.history[dropped - 1]!.event.revision;
      this.history = this.history.slice(dropped);
    }
    // A listener may end itself or another while it is called.
    for (const listener of [...(this.listeners.get(key) ?? [])]) listener.call(event);
  }

  /** Where in the history the changes after `revision` begin. */
  private firstAfter(revision: number): number {
    let low = 0;
    let high = this.history.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.history[middle]!.event.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
