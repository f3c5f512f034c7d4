import columnsJson from "../../../data/columns.json" with { type: "json" };
import resourcesJson from "../../../data/resources.json" with { type: "json" };
import type { KubeObject } from "../api/object.ts";
import { apiVersion, type Column, type GroupResource, groupResource, type ResourceInfo } from "../api/resource.ts";
import type { TypeCatalog } from "../schema/type-catalog.ts";
import type { KindStrategy } from "./strategy.ts";

/** All that the server knows of one version of a resource. */
export interface ResourceDefinition {
  info: ResourceInfo;
  /** Name of the kind's type in the TypeCatalog. */
  typeName: string;
  strategy: KindStrategy | undefined;
  columns: readonly Column[];
  /** Where objects are kept: two versions of a resource, and core and events.k8s.io Events, share one place. */
  storage: GroupResource;
  /** From the stored form to this version, where they differ. */
  fromStored?: (stored: KubeObject) => KubeObject;
  /** Present for custom resources. */
  custom?: { scale?: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string } };
}

const columnTable = columnsJson as unknown as Record<string, [string, string, string, number][]>;

/** The resources one cluster serves: Kubernetes' own and those of its CustomResourceDefinitions. */
export class ResourceCatalogue {
  private readonly byPath = new Map<string, ResourceDefinition>();
  private readonly preferred = new Map<string, ResourceDefinition>();
  private readonly byStorage = new Map<string, ResourceDefinition>();
  /** Counts changes: what is made from the catalogue (discovery, OpenAPI) is kept as long as it stands. */
  generation = 0;
  private readonly listeners = new Set<() => void>();

  constructor(
    readonly types: TypeCatalog,
    strategies: readonly KindStrategy[],
  ) {
    const strategyOf = new Map(strategies.map((s) => [groupResource(s), s]));
    for (const info of resourcesJson as unknown as ResourceInfo[]) {
      const typeName = types.nameOf(info.group, info.version, info.kind);
      if (typeName === undefined) throw new Error(`no type for ${info.kind} in data/types.json`);
      const storage = info.group === "events.k8s.io" ? { group: "", resource: "events" } : info;
      const strategy = strategyOf.get(groupResource(info));
      const fromStored = strategy?.fromStored?.[info.version];
      this.add({
        info,
        typeName,
        strategy,
        ...(fromStored === undefined ? {} : { fromStored }),
        columns: builtInColumns(info),
        storage: { group: storage.group, resource: storage.resource },
      });
    }
  }

  /** Adds a resource, or replaces it. */
  add(definition: ResourceDefinition): void {
    const { group, version, resource } = definition.info;
    this.byPath.set(`${group}/${version}/${resource}`, definition);
    const key = groupResource(definition.info);
    const known = this.preferred.get(key);
    if (known === undefined || known.info.version === version) this.preferred.set(key, definition);
    if (definition.storage.group === group)
      this.byStorage.set(groupResource(definition.storage), this.preferred.get(key)!);
    this.changed();
  }

  remove(info: { group: string; version: string; resource: string }): void {
    const path = `${info.group}/${info.version}/${info.resource}`;
    const definition = this.byPath.get(path);
    if (definition === undefined) return;
    this.byPath.delete(path);
    const key = groupResource(info);
    const other = [...this.byPath.values()].find((d) => groupResource(d.info) === key);
    if (other === undefined) this.preferred.delete(key);
    else this.preferred.set(key, other);
    this.changed();
  }

  /** Calls `listener` after each change; the result ends it. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private changed(): void {
    this.generation += 1;
    for (const listener of [...this.listeners]) listener();
  }

  /** `version` absent: the preferred one. */
  find(gr: GroupResource, version?: string): ResourceDefinition | undefined {
    return version === undefined
      ? this.preferred.get(groupResource(gr))
      : this.byPath.get(`${gr.group}/${version}/${gr.resource}`);
  }

  byKind(group: string, version: string | undefined, kind: string): ResourceDefinition | undefined {
    for (const d of this.byPath.values()) {
      if (d.info.group === group && d.info.kind === kind && (version === undefined || d.info.version === version))
        return d;
    }
    return undefined;
  }

  /** The version in which the objects of a definition are stored; mostly itself. */
  stored(definition: ResourceDefinition): ResourceDefinition {
    if (definition.fromStored === undefined) return definition;
    const { group, resource } = definition.storage;
    for (const d of this.byPath.values()) {
      if (d.info.group === group && d.info.resource === resource && d.fromStored === undefined) return d;
    }
    return definition;
  }

  hasGroupVersion(group: string, version: string): boolean {
    return [...this.byPath.values()].some((d) => d.info.group === group && d.info.version === version);
  }

  /** In the order they were added. */
  all(): ResourceDefinition[] {
    return [...this.byPath.values()];
  }
}

function builtInColumns(info: ResourceInfo): Column[] {
  const base = info.group === "" ? "/api" : "/apis";
  const table = columnTable[`${base}/${apiVersion(info)}/${info.resource}`];
  return (table ?? defaultColumns).map(([name, type, format, priority]) => ({ name, type, format, priority }));
}

const defaultColumns: [string, string, string, number][] = [
  ["Name", "string", "name", 0],
  ["Created At", "date", "", 0],
];
