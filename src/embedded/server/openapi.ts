import { createHash } from "node:crypto";
import type { ResourceInfo } from "../api/resource.ts";
import type { TypeDescription } from "../schema/descriptions.ts";
import type { TypeCatalog } from "../schema/type-catalog.ts";
import { objectMetaType, type TypeSchema } from "../schema/type-schema.ts";
import type { ResourceIndex } from "./resource-index.ts";

export type OpenApiV3Document = NonNullable<ReturnType<typeof openApiDocument>>;

/** `/openapi/v3`: where each group version's document is; the hash changes when the document does. */
export function openApiIndex(resources: ResourceIndex, types: TypeCatalog) {
  const paths: Record<string, { serverRelativeURL: string }> = {};
  const versions = new Set(resources.list().map(groupVersionPath));
  for (const path of versions) {
    const own = resources.list().filter((info) => groupVersionPath(info) === path);
    const shapes = own.map((info) => [
      info,
      types.get(types.nameOf(info.group, info.version, info.kind) ?? objectMetaType),
    ]);
    const hash = createHash("sha256").update(JSON.stringify(shapes)).digest("hex").slice(0, 32).toUpperCase();
    paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` };
  }
  return { paths };
}

/** `api/v1`, `apis/apps/v1` */
export function groupVersionPath({ group, version }: ResourceInfo): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}

/** `/openapi/v3/apis/apps/v1`: paths with what kubectl reads of them, and every type they lead to. */
export function openApiDocument(
  path: string,
  resources: ResourceIndex,
  types: TypeCatalog,
  describe: (typeName: string) => TypeDescription,
) {
  const [prefix, first = "", second = ""] = path.split("/");
  const [group, version] = prefix === "api" ? ["", first] : [first, second];
  const own = resources.list().filter((info) => info.group === group && info.version === version);
  if (own.length === 0) return undefined;
  const schemas: Record<string, unknown> = {};
  const add = (name: string) => {
    if (schemas[name] !== undefined) return;
    schemas[name] = {};
    schemas[name] = describedType(toOpenApi(types.get(name), add), name, describe);
  };
  const paths: Record<string, unknown> = {};
  for (const info of own) {
    const name = types.nameOf(info.group, info.version, info.kind);
    if (name !== undefined) add(name);
    Object.assign(paths, pathsOf(path, info, name, name !== undefined && types.isCustom(name)));
  }
  add("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions");
  return { openapi: "3.0.0", info: { title: "Kubernetes", version: "v1.36.2" }, paths, components: { schemas } };
}

function pathsOf(
  base: string,
  info: ResourceInfo,
  schema: string | undefined,
  custom: boolean,
): Record<string, unknown> {
  const collection = `/${base}/${info.namespaced ? "namespaces/{namespace}/" : ""}${info.resource}`;
  const gvk = { group: info.group, kind: info.kind, version: info.version };
  const ref = schema === undefined ? { type: "object" } : { $ref: `#/components/schemas/${schema}` };
  const body = (...types: string[]) => ({ content: Object.fromEntries(types.map((type) => [type, { schema: ref }])) });
  const query = (...names: string[]) =>
    names.map((name) => ({ name, in: "query", schema: { type: "string", uniqueItems: true } }));
  const operation = (action: string, requestBody: object | undefined, parameters: object[]) => ({
    ...(requestBody === undefined ? {} : { requestBody }),
    parameters,
    responses: { "200": { description: "OK", ...body("application/json", "application/yaml") } },
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": gvk,
  });
  const writing = query("dryRun", "fieldManager", "fieldValidation");
  const has = (verb: string) => info.verbs.includes(verb);
  const onCollection = {
    ...(has("list") ? { get: operation("list", undefined, query("labelSelector", "fieldSelector")) } : {}),
    ...(has("create") ? { post: operation("post", body("application/json", "application/yaml"), writing) } : {}),
  };
  const patches = [
    "application/apply-patch+yaml",
    "application/json-patch+json",
    "application/merge-patch+json",
    // Custom resources have no merge keys: kubectl must not try.
    ...(custom ? [] : ["application/strategic-merge-patch+json"]),
  ];
  const onObject = {
    ...(has("get") ? { get: operation("get", undefined, []) } : {}),
    ...(has("update") ? { put: operation("put", body("application/json", "application/yaml"), writing) } : {}),
    ...(has("patch") ? { patch: operation("patch", body(...patches), [...writing, ...query("force")]) } : {}),
    ...(has("delete") ? { delete: operation("delete", undefined, query("dryRun")) } : {}),
  };
  return { [collection]: onCollection, [`${collection}/{name}`]: onObject };
}

/** Adds what kubectl explain prints of the type and of its fields. */
function describedType(
  schema: Record<string, unknown>,
  name: string,
  describe: (typeName: string) => TypeDescription,
): Record<string, unknown> {
  const { text, fields } = describe(name);
  const properties = schema["properties"] as Record<string, Record<string, unknown>> | undefined;
  for (const [field, property] of Object.entries(properties ?? {})) {
    if (Object.hasOwn(fields, field)) property["description"] = fields[field];
  }
  return text === "" ? schema : { description: text, ...schema };
}

/** Our compact form of a type (data/README.md) as OpenAPI v3 with Kubernetes' extensions. */
function toOpenApi(schema: TypeSchema, add: (name: string) => void): Record<string, unknown> {
  const raw = schema as unknown as Record<string, unknown>;
  const out: Record<string, unknown> = {};
  if (schema.ref !== undefined) {
    add(schema.ref);
    out["allOf"] = [{ $ref: `#/components/schemas/${schema.ref}` }];
  }
  for (const name of ["description", "type", "format", "required", "default", "enum"])
    if (raw[name] !== undefined) out[name] = raw[name];
  if (schema.items !== undefined) out["items"] = toOpenApi(schema.items, add);
  if (raw["values"] !== undefined) out["additionalProperties"] = toOpenApi(raw["values"] as TypeSchema, add);
  if (schema.properties !== undefined) {
    const properties = Object.entries(schema.properties);
    out["properties"] = Object.fromEntries(properties.map(([name, property]) => [name, toOpenApi(property, add)]));
  }
  for (const name of ["list-type", "list-map-keys", "map-type", "patch-strategy", "patch-merge-key", "unions"]) {
    if (raw[name] !== undefined) out[`x-kubernetes-${name}`] = raw[name];
  }
  if (schema.gvk !== undefined) {
    const [group, version, kind] = schema.gvk;
    out["x-kubernetes-group-version-kind"] = [{ group, kind, version }];
  }
  return out;
}
