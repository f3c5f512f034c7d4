import type { ResourceInfo } from "../api/resource.ts";
import type { ResourceCatalogue } from "../registry/resource-catalogue.ts";

/** What the server and the controllers ask of the resources that a cluster serves. */
export class ResourceIndex {
  #generation = -1;
  #list: readonly ResourceInfo[] = [];

  constructor(private readonly catalogue: ResourceCatalogue) {}

  /** Changes whenever what is served does. */
  get generation(): number {
    return this.catalogue.generation;
  }

  list(): readonly ResourceInfo[] {
    if (this.#generation !== this.catalogue.generation) {
      this.#generation = this.catalogue.generation;
      this.#list = this.catalogue.all().map((definition) => definition.info);
    }
    return this.#list;
  }

  onChange(listener: () => void): () => void {
    return this.catalogue.onChange(listener);
  }

  find(group: string, version: string, resource: string): ResourceInfo | undefined {
    return this.catalogue.find({ group, resource }, version)?.info;
  }
}
