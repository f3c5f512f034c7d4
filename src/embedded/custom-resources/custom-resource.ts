import { ageSince } from "../api/duration.ts";
import type { KubeObject } from "../api/object.ts";
import type { Column, ResourceInfo } from "../api/resource.ts";
import type { ResourceDefinition } from "../registry/resource-catalogue.ts";
import type { KindStrategy } from "../registry/strategy.ts";
import { readJsonPath } from "./json-path.ts";
import type { JsonSchema } from "./json-schema.ts";
import { validateValue } from "./validate-value.ts";

/** apiextensions.k8s.io/v1 CustomResourceDefinition, as far as it is read here. */
export interface CustomResourceDefinition extends KubeObject {
  spec: {
    group: string;
    scope: "Namespaced" | "Cluster";
    names: Names;
    versions: Version[];
  };
  status?: { conditions?: Condition[]; acceptedNames?: Names; storedVersions?: string[] };
}

export interface Names {
  plural: string;
  singular?: string;
  kind: string;
  listKind?: string;
  shortNames?: string[];
  categories?: string[];
}

export interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
  lastTransitionTime: string;
}

export interface Version {
  name: string;
  served: boolean;
  storage: boolean;
  schema?: { openAPIV3Schema?: JsonSchema };
  subresources?: {
    status?: object;
    scale?: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string };
  };
  additionalPrinterColumns?: {
    name: string;
    type: string;
    format?: string;
    description?: string;
    priority?: number;
    jsonPath: string;
  }[];
}

/** Name of the type of one version in the TypeCatalog, as OpenAPI names it: `org.example.v1.Widget`. */
export function typeNameOf({ spec }: CustomResourceDefinition, version: Version): string {
  return [...spec.group.split(".").reverse(), version.name, spec.names.kind].join(".");
}

/** What the server knows of one version of a custom resource. */
export function definitionOf(crd: CustomResourceDefinition, version: Version): ResourceDefinition {
  const { group, scope, names } = crd.spec;
  const subresources: NonNullable<ResourceInfo["subresources"]> = [];
  const verbs = ["get", "patch", "update"];
  if (version.subresources?.status)
    subresources.push({ name: "status", verbs, kind: [group, version.name, names.kind] });
  if (version.subresources?.scale) subresources.push({ name: "scale", verbs, kind: ["autoscaling", "v1", "Scale"] });
  const info: ResourceInfo = {
    group,
    version: version.name,
    resource: names.plural,
    kind: names.kind,
    namespaced: scope === "Namespaced",
    singular: names.singular ?? names.kind.toLowerCase(),
    verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
    ...(names.shortNames?.length ? { shortNames: names.shortNames } : {}),
    ...(names.categories?.length ? { categories: names.categories } : {}),
    ...(subresources.length > 0 ? { subresources } : {}),
  };
  const { scale } = version.subresources ?? {};
  return {
    info,
    typeName: typeNameOf(crd, version),
    strategy: strategyOf(info, version),
    columns: columnsOf(version),
    storage: { group, resource: names.plural },
    custom: scale === undefined ? {} : { scale },
  };
}

function strategyOf(info: ResourceInfo, version: Version): KindStrategy {
  const schema = version.schema?.openAPIV3Schema;
  const validate = (object: KubeObject) => (schema === undefined ? [] : validateValue(schema, object, ""));
  return {
    group: info.group,
    resource: info.resource,
    validate,
    validateStatusUpdate: validate,
    cells: (object, now) => [object.metadata.name, ...printed(version).map((column) => cell(column, object, now))],
  };
}

type Printed = NonNullable<Version["additionalPrinterColumns"]>[number];

const age: Printed = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" };

function printed({ additionalPrinterColumns }: Version): Printed[] {
  return additionalPrinterColumns?.length ? additionalPrinterColumns : [age];
}

function columnsOf(version: Version): Column[] {
  const own = printed(version).map(({ name, type, format = "", description, priority = 0 }) => ({
    name,
    type,
    format,
    priority,
    ...(description === undefined ? {} : { description }),
  }));
  return [{ name: "Name", type: "string", format: "name", priority: 0 }, ...own];
}

/** A value of the wrong type is not shown. */
function cell({ type, jsonPath }: Printed, object: KubeObject, now: number): unknown {
  const value = readJsonPath(object, jsonPath);
  if (value === undefined) return null;
  switch (type) {
    case "date":
      return ageSince(String(value), now);
    case "integer":
      return typeof value === "number" ? Math.trunc(value) : null;
    case "number":
      return typeof value === "number" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    default:
      return typeof value === "object" ? JSON.stringify(value) : String(value);
  }
}
