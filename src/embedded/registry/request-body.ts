import { type ApiError, apiError } from "../api/api-error.ts";
import type { KubeObject } from "../api/object.ts";
import { apiVersion } from "../api/resource.ts";
import { decode } from "../schema/decode.ts";
import { DecodeError } from "../schema/decode-error.ts";
import { applyDeclaredDefaults } from "../schema/defaults.ts";
import type { RequestContext } from "./api.ts";
import type { RegistryCore } from "./core.ts";
import type { ResourceDefinition } from "./resource-catalogue.ts";

/** Duplicate fields and the like that the parser of a body has found, under this key of the parsed body. */
export const parseErrors = Symbol("strict errors of parsing");

/**
 * The body of a create or an update as an object of the kind, with defaults. Unknown fields are refused, warned of or
 * dropped as `fieldValidation` says.
 *
 * @throws ApiError 400 in the decoder's words
 */
export function decodeBody(
  core: RegistryCore,
  definition: ResourceDefinition,
  body: unknown,
  context: RequestContext,
): KubeObject {
  const { info } = definition;
  const given = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : undefined;
  const expected = apiVersion(info);
  if (given?.apiVersion !== undefined && given.apiVersion !== "" && given.apiVersion !== expected) {
    throw apiError.badRequest(
      `the API version in the data (${String(given.apiVersion)}) does not match the expected API version (${expected})`,
    );
  }
  if (given?.kind !== undefined && given.kind !== "" && given.kind !== info.kind) {
    throw apiError.badRequest(
      `${String(given.kind)} in version ${JSON.stringify(info.version)} cannot be handled as a ${info.kind}: converting (${String(given.kind)}) to (${info.kind}): unknown conversion`,
    );
  }
  const cannot = (why: string) =>
    apiError.badRequest(
      `${info.kind} in version ${JSON.stringify(info.version)} cannot be handled as a ${info.kind}: ${why}`,
    );
  try {
    const { object, strictErrors } = decode(core.types, definition.typeName, body);
    const found = [...((given as { [parseErrors]?: string[] } | undefined)?.[parseErrors] ?? []), ...strictErrors];
    judgeStrictErrors(found, context, (why) => cannot(`strict decoding error: ${why}`));
    return completed(core, definition, object);
  } catch (error) {
    if (error instanceof DecodeError) throw cannot(error.message);
    throw error;
  }
}

/** Warns, refuses or keeps quiet about unknown and duplicate fields. */
export function judgeStrictErrors(
  found: readonly string[],
  context: RequestContext,
  refusal: (why: string) => ApiError,
): void {
  if (found.length === 0) return;
  const validation = context.fieldValidation ?? "Warn";
  if (validation === "Strict") throw refusal(found.join(", "));
  if (validation === "Warn") context.warnings?.push(...found);
}

/** Type, defaults and an empty metadata where there is none. */
export function completed(
  core: RegistryCore,
  definition: ResourceDefinition,
  decoded: Record<string, unknown>,
): KubeObject {
  const { apiVersion: _, kind: __, metadata, ...rest } = decoded;
  const object = {
    apiVersion: apiVersion(definition.info),
    kind: definition.info.kind,
    metadata: metadata ?? {},
    ...rest,
  } as KubeObject;
  applyDeclaredDefaults(core.types, definition.typeName, object);
  definition.strategy?.applyDefaults?.(object);
  return object;
}
