import { admissionPlugins } from "../admission/index.ts";
import type { Clock } from "../api/clock.ts";
import { strategies } from "../kinds/index.ts";
import { TypeCatalog } from "../schema/type-catalog.ts";
import type { Store } from "../store/store.ts";
import type { AdmissionPlugin } from "./core.ts";
import { Registry } from "./registry.ts";
import { ResourceCatalogue } from "./resource-catalogue.ts";

/**
 * The API of one cluster over its store.
 *
 * @param options.admission plugins that run after Kubernetes' own list
 */
export function createApi(options: { store: Store; clock: Clock; admission?: readonly AdmissionPlugin[] }): Registry {
  const { store, clock, admission = [] } = options;
  const types = new TypeCatalog();
  const resources = new ResourceCatalogue(types, strategies);
  return new Registry({ store, clock, types, resources, admission: [...admissionPlugins(), ...admission] });
}
