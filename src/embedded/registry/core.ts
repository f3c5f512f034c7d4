import type { Clock } from "../api/clock.ts";
import type { KubeObject } from "../api/object.ts";
import type { TypeCatalog } from "../schema/type-catalog.ts";
import type { Store } from "../store/store.ts";
import type { RequestContext, Target } from "./api.ts";
import type { ResourceCatalogue, ResourceDefinition } from "./resource-catalogue.ts";
import type { StrategyContext } from "./strategy.ts";

/** What every part of the registry works with. */
export interface RegistryCore {
  store: Store;
  types: TypeCatalog;
  resources: ResourceCatalogue;
  clock: Clock;
  admission: readonly AdmissionPlugin[];
}

export interface AdmissionRequest {
  operation: "CREATE" | "UPDATE" | "DELETE";
  definition: ResourceDefinition;
  target: Target;
  /** The new state; a plugin that mutates changes it. Absent for DELETE. */
  object: KubeObject | undefined;
  old: KubeObject | undefined;
  context: RequestContext;
}

/** A step between decoding and validation (https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/). */
export interface AdmissionPlugin {
  readonly name: string;
  mutate?(request: AdmissionRequest, core: RegistryCore): void;
  /** Throws ApiError to refuse. */
  validate?(request: AdmissionRequest, core: RegistryCore): void;
}

export function strategyContext(core: RegistryCore): StrategyContext {
  return {
    now: core.clock.now(),
    get: (group, resource, namespace, name) => core.store.get({ group, resource }, namespace, name),
    list: (group, resource, namespace) => core.store.list({ group, resource }, namespace),
  };
}
