import type { KubeObject } from "../api/object.ts";
import { apiVersion } from "../api/resource.ts";
import type { ResourceDefinition } from "./resource-catalogue.ts";

/** A stored object in a definition's version. */
export function fromStorage(definition: ResourceDefinition, stored: KubeObject): KubeObject {
  if (definition.fromStored) return definition.fromStored(stored);
  const version = apiVersion(definition.info);
  return stored.apiVersion === version ? stored : { ...stored, apiVersion: version };
}
