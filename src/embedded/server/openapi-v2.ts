import { ProtobufWriter } from "../schema/protobuf-writer.ts";
import type { OpenApiV3Document } from "./openapi.ts";

type Schema = Record<string, unknown>;
type Operation = { parameters: { name: string }[]; "x-kubernetes-group-version-kind": unknown } & Schema;

/** Swagger 2.0 of what the group versions serve: what kubectl before 1.29, and a few checks of later ones, read. */
export function openApiV2(documents: readonly OpenApiV3Document[]) {
  const definitions: Record<string, Schema> = {};
  const paths: Record<string, Schema> = {};
  for (const { components, paths: own } of documents) {
    for (const [name, schema] of Object.entries(components.schemas)) definitions[name] ??= toV2(schema as Schema);
    for (const [path, item] of Object.entries(own)) paths[path] = pathToV2(item as Record<string, Operation>);
  }
  return { swagger: "2.0", info: { title: "Kubernetes", version: "v1.36.2" }, paths, definitions };
}

/** References move, and the one-element allOf that v3 needs for a reference with a description goes. */
function toV2(schema: Schema): Schema {
  const out: Schema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "allOf")
      out["$ref"] = String((value as { $ref: string }[])[0]!.$ref).replace("components/schemas", "definitions");
    else if (key === "items" || key === "additionalProperties") out[key] = toV2(value as Schema);
    else if (key === "properties") {
      out[key] = Object.fromEntries(Object.entries(value as Record<string, Schema>).map(([n, s]) => [n, toV2(s)]));
    } else out[key] = value;
  }
  return out;
}

function pathToV2(item: Record<string, Operation>): Schema {
  return Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [
      method,
      {
        parameters: operation.parameters.map(({ name }) => ({ name, in: "query", type: "string", uniqueItems: true })),
        responses: { "200": { description: "OK" } },
        "x-kubernetes-group-version-kind": operation["x-kubernetes-group-version-kind"],
      },
    ]),
  );
}

/** The same as gnostic's protobuf (openapiv2.Document), the only form in which kubectl asks for it. */
export function encodeGnostic(document: ReturnType<typeof openApiV2>): Buffer {
  const info = new ProtobufWriter().string(1, document.info.title).string(2, document.info.version);
  const paths = new ProtobufWriter();
  for (const [path, item] of Object.entries(document.paths)) paths.message(2, named(path, pathItem(item)));
  const definitions = new ProtobufWriter();
  for (const [name, schema] of Object.entries(document.definitions))
    definitions.message(1, named(name, schemaMessage(schema)));
  return new ProtobufWriter()
    .string(1, document.swagger)
    .message(2, info)
    .message(8, paths)
    .message(9, definitions)
    .finish();
}

/** NamedSchema, NamedPathItem, NamedAny: a name and a value. */
function named(name: string, value: ProtobufWriter): ProtobufWriter {
  return new ProtobufWriter().string(1, name).message(2, value);
}

/** An Any keeps the value as YAML; JSON is that too. */
function any(value: unknown): ProtobufWriter {
  return new ProtobufWriter().string(2, `${JSON.stringify(value)}\n`);
}

function schemaMessage(schema: Schema): ProtobufWriter {
  const writer = new ProtobufWriter()
    .string(1, schema["$ref"] as string | undefined)
    .string(2, schema["format"] as string | undefined)
    .string(4, schema["description"] as string | undefined);
  if (schema["default"] !== undefined) writer.message(5, any(schema["default"]));
  writer.strings(19, schema["required"] as string[] | undefined);
  for (const value of (schema["enum"] as unknown[] | undefined) ?? []) writer.message(20, any(value));
  if (schema["additionalProperties"] !== undefined) {
    writer.message(21, new ProtobufWriter().message(1, schemaMessage(schema["additionalProperties"] as Schema)));
  }
  if (typeof schema["type"] === "string") writer.message(22, new ProtobufWriter().strings(1, [schema["type"]]));
  if (schema["items"] !== undefined) {
    writer.message(23, new ProtobufWriter().message(1, schemaMessage(schema["items"] as Schema)));
  }
  if (schema["properties"] !== undefined) {
    const properties = new ProtobufWriter();
    for (const [name, property] of Object.entries(schema["properties"] as Record<string, Schema>)) {
      properties.message(1, named(name, schemaMessage(property)));
    }
    writer.message(25, properties);
  }
  for (const [key, value] of Object.entries(schema))
    if (key.startsWith("x-")) writer.message(31, named(key, any(value)));
  return writer;
}

const methodFields: Record<string, number> = { get: 2, put: 3, post: 4, delete: 5, patch: 8 };

function pathItem(item: Schema): ProtobufWriter {
  const writer = new ProtobufWriter();
  for (const [method, operation] of Object.entries(item as Record<string, Operation>)) {
    const message = new ProtobufWriter();
    for (const { name } of operation.parameters) {
      const query = new ProtobufWriter().string(2, "query").string(4, name).string(6, "string");
      // ParametersItem.parameter → Parameter.non_body_parameter → query_parameter_sub_schema.
      message.message(
        8,
        new ProtobufWriter().message(1, new ProtobufWriter().message(2, new ProtobufWriter().message(3, query))),
      );
    }
    const gvk = "x-kubernetes-group-version-kind";
    message.message(13, named(gvk, any(operation[gvk])));
    writer.message(methodFields[method]!, message);
  }
  return writer;
}
