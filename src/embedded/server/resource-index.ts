import resourcesJson from "../../../data/resources.json" with { type: "json" };
import type { ResourceInfo } from "../api/resource.ts";

const builtIn = resourcesJson as unknown as ResourceInfo[];

/** Which resources one cluster serves: those of Kubernetes, and those of its CustomResourceDefinitions. */
export class ResourceIndex {
  readonly #custom = new Map<string, ResourceInfo>();
  readonly #listeners = new Set<() => void>();
  readonly #byPath = new Map(builtIn.map((info) => [key(info.group, info.version, info.resource), info]));

  list(): readonly ResourceInfo[] {
    return [...builtIn, ...this.#custom.values()];
  }

  find(group: string, version: string, resource: string): ResourceInfo | undefined {
    return this.#byPath.get(key(group, version, resource)) ?? this.#custom.get(key(group, version, resource));
  }

  serves(group: string, version?: string): boolean {
    return this.list().some((info) => info.group === group && (version === undefined || info.version === version));
  }

  addCustom(info: ResourceInfo): void {
    this.#custom.set(key(info.group, info.version, info.resource), info);
    this.#changed();
  }

  removeCustom(group: string, resource: string): void {
    for (const [path, info] of this.#custom) {
      if (info.group === group && info.resource === resource) this.#custom.delete(path);
    }
    this.#changed();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function key(group: string, version: string, resource: string): string {
  return `${group}/${version}/${resource}`;
}
