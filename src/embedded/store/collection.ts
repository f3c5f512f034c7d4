import type { KubeObject } from "../api/object.ts";

/** An index of a collection: which objects are found under a key. */
interface Index {
  keys(object: KubeObject): string[];
  found: Map<string, Map<string, KubeObject>>;
  lists: Map<string, readonly KubeObject[]>;
}

/** The objects of one resource, with the lists that are asked for again and again kept until something changes. */
export class Collection {
  private readonly objects = new Map<string, KubeObject>();
  private readonly namespaces = new Map<string, Map<string, KubeObject>>();
  private readonly lists = new Map<string | undefined, readonly KubeObject[]>();
  private readonly indexes = new Map<string, Index>();

  get size(): number {
    return this.objects.size;
  }

  get(namespace: string, name: string): KubeObject | undefined {
    return this.objects.get(storeKey(namespace, name));
  }

  /** In the order of etcd's keys. */
  list(namespace?: string): readonly KubeObject[] {
    let list = this.lists.get(namespace);
    if (list === undefined) {
      const members = namespace === undefined ? this.objects : this.namespaces.get(namespace);
      list = sorted(members);
      this.lists.set(namespace, list);
    }
    return list;
  }

  set(object: KubeObject): void {
    const { namespace = "", name = "" } = object.metadata;
    const key = storeKey(namespace, name);
    const previous = this.objects.get(key);
    this.objects.set(key, object);
    let members = this.namespaces.get(namespace);
    if (members === undefined) {
      members = new Map();
      this.namespaces.set(namespace, members);
    }
    members.set(key, object);
    this.changed(namespace);
    this.reindex(key, previous, object);
  }

  delete(namespace: string, name: string): KubeObject | undefined {
    const key = storeKey(namespace, name);
    const previous = this.objects.get(key);
    if (previous === undefined) return undefined;
    this.objects.delete(key);
    const members = this.namespaces.get(namespace)!;
    members.delete(key);
    if (members.size === 0) this.namespaces.delete(namespace);
    this.changed(namespace);
    this.reindex(key, previous, undefined);
    return previous;
  }

  addIndex(name: string, keys: (object: KubeObject) => string[]): void {
    if (this.indexes.has(name)) return;
    const index: Index = { keys, found: new Map(), lists: new Map() };
    this.indexes.set(name, index);
    for (const [key, object] of this.objects) addTo(index, key, object);
  }

  byIndex(name: string, value: string): readonly KubeObject[] {
    const index = this.indexes.get(name);
    if (index === undefined) throw new Error(`no index ${name}`);
    let list = index.lists.get(value);
    if (list === undefined) {
      list = sorted(index.found.get(value));
      index.lists.set(value, list);
    }
    return list;
  }

  private changed(namespace: string): void {
    this.lists.delete(undefined);
    this.lists.delete(namespace);
  }

  private reindex(key: string, previous: KubeObject | undefined, next: KubeObject | undefined): void {
    for (const index of this.indexes.values()) {
      if (previous !== undefined) removeFrom(index, key, previous);
      if (next !== undefined) addTo(index, key, next);
    }
  }
}

/** Sorts as etcd does: "/" between namespace and name is below every character of a name. */
function storeKey(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function sorted(members: Map<string, KubeObject> | undefined): readonly KubeObject[] {
  if (members === undefined) return [];
  return [...members].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
}

function addTo(index: Index, key: string, object: KubeObject): void {
  for (const value of index.keys(object)) {
    let found = index.found.get(value);
    if (found === undefined) {
      found = new Map();
      index.found.set(value, found);
    }
    found.set(key, object);
    index.lists.delete(value);
  }
}

function removeFrom(index: Index, key: string, object: KubeObject): void {
  for (const value of index.keys(object)) {
    const found = index.found.get(value);
    found?.delete(key);
    if (found?.size === 0) index.found.delete(value);
    index.lists.delete(value);
  }
}
