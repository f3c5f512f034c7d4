import type { KubeObject } from "../api/object.ts";
import { apiVersion } from "../api/resource.ts";
import type { ResourceDefinition } from "./resource-catalogue.ts";

/** A stored object in a definition's version. */
export function fromStorage(definition: ResourceDefinition, stored: KubeObject): KubeObject {
  if (definition.convert) return definition.convert.fromStorage(stored as never) as KubeObject;
  const version = apiVersion(definition.info);
  return stored.apiVersion === version ? stored : { ...stored, apiVersion: version };
}

export function toStorage(definition: ResourceDefinition, object: KubeObject): KubeObject {
  return definition.convert ? (definition.convert.toStorage(object as never) as KubeObject) : object;
}
