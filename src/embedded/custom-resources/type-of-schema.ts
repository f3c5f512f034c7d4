import { objectMetaType, type TypeSchema } from "../schema/type-schema.ts";
import type { JsonSchema } from "./json-schema.ts";

const string: TypeSchema = { type: "string" };
const envelope = { apiVersion: string, kind: string, metadata: { ref: objectMetaType } };

/**
 * The type of a custom resource by its structural schema
 * (https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/): what decoding
 * prunes and defaults by, what server-side apply merges by, and what OpenAPI shows. Wrong values are left for validation.
 */
export function typeOfCustomResource(schema: JsonSchema | undefined): TypeSchema {
  if (schema === undefined) return { type: "object", properties: envelope, preserveUnknown: true };
  const type = typeOf(schema);
  return { ...type, type: "object", properties: { ...type.properties, ...envelope } };
}

function typeOf(schema: JsonSchema): TypeSchema {
  const shared: TypeSchema = {
    lenient: true,
    ...(schema.default === undefined ? {} : { default: schema.default }),
    ...(schema.nullable ? { nullable: true } : {}),
    ...(schema.enum === undefined ? {} : { enum: schema.enum }),
    ...(schema.required === undefined ? {} : { required: schema.required }),
    ...(schema.description === undefined ? {} : { description: schema.description }),
  };
  if (schema["x-kubernetes-int-or-string"]) return { ...shared, oneOf: ["integer", "string"], format: "int-or-string" };
  const preserve = schema["x-kubernetes-preserve-unknown-fields"] === true;
  switch (schema.type) {
    case "array":
      return {
        ...shared,
        type: "array",
        items: typeOf(schema.items ?? {}),
        "list-type": schema["x-kubernetes-list-type"] ?? "atomic",
        ...(schema["x-kubernetes-list-map-keys"] === undefined
          ? {}
          : { "list-map-keys": schema["x-kubernetes-list-map-keys"] }),
      };
    case "object": {
      const { additionalProperties: values } = schema;
      if (typeof values === "object") return { ...shared, type: "object", values: typeOf(values) };
      if (values === true || (schema.properties === undefined && preserve)) {
        return { ...shared, type: "object", properties: {}, preserveUnknown: true };
      }
      const properties = Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, property]) => [name, typeOf(property)]),
      );
      return {
        ...shared,
        type: "object",
        properties: schema["x-kubernetes-embedded-resource"] ? { ...properties, ...envelope } : properties,
        ...(preserve ? { preserveUnknown: true } : {}),
        ...(schema["x-kubernetes-map-type"] === undefined ? {} : { "map-type": schema["x-kubernetes-map-type"] }),
      };
    }
    case "string":
    case "integer":
    case "number":
    case "boolean":
      return { ...shared, type: schema.type, ...(schema.format === undefined ? {} : { format: schema.format }) };
    default:
      return preserve ? { ...shared, type: "object", properties: {}, preserveUnknown: true } : shared;
  }
}
