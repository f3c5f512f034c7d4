import { admissionPlugins } from "../admission/index.ts";
import type { Clock } from "../api/clock.ts";
import { strategies } from "../kinds/index.ts";
import { TypeCatalog } from "../schema/type-catalog.ts";
import type { Store } from "../store/store.ts";
import { Registry } from "./registry.ts";
import { ResourceCatalogue } from "./resource-catalogue.ts";

/** The API of one cluster over its store. */
export function createApi(options: { store: Store; clock: Clock }): Registry {
  const types = new TypeCatalog();
  const resources = new ResourceCatalogue(types, strategies);
  return new Registry({ ...options, types, resources, admission: admissionPlugins() });
}
