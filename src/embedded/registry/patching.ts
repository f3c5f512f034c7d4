import { ApiError, apiError } from "../api/api-error.ts";
import { rfc3339 } from "../api/clock.ts";
import { fieldError } from "../api/field-error.ts";
import type { KubeObject } from "../api/object.ts";
import { apiVersion } from "../api/resource.ts";
import { jsonPatch } from "../patch/json-patch.ts";
import { applyServerSide } from "../patch/managed-fields.ts";
import { mergePatch } from "../patch/merge-patch.ts";
import { MalformedPatchError, PatchError } from "../patch/patch-error.ts";
import { strategicMergePatch } from "../patch/strategic-merge.ts";
import { decode } from "../schema/decode.ts";
import { DecodeError } from "../schema/decode-error.ts";
import { goPrint, sortedJson } from "../schema/go-words.ts";
import type { PatchType, RequestContext } from "./api.ts";
import type { RegistryCore } from "./core.ts";
import { completed, judgeStrictErrors } from "./request-body.ts";
import type { ResourceDefinition } from "./resource-catalogue.ts";

/**
 * The object that a JSON, merge or strategic merge patch makes of `live`, decoded and with defaults.
 *
 * @throws ApiError 400 for what is no patch, 415 for a strategic patch of a custom resource, 422 for one that does not fit
 */
export function patched(
  core: RegistryCore,
  definition: ResourceDefinition,
  type: Exclude<PatchType, "application/apply-patch+yaml">,
  live: KubeObject,
  patch: unknown,
  context: RequestContext,
): KubeObject {
  const result = applyPatch(core, definition, type, live, patch);
  // What the message shows: the patch itself for a strategic one, the whole patched object for the others.
  const shown = type === "application/strategic-merge-patch+json" ? goPrint(patch) : sortedJson(result);
  const refusal = (why: string) => invalidPatch(shown, why);
  try {
    const { object, strictErrors } = decode(core.types, definition.typeName, result);
    judgeStrictErrors(strictErrors, context, (why) => refusal(`strict decoding error: ${why}`));
    return completed(core, definition, object);
  } catch (error) {
    if (error instanceof DecodeError) throw refusal(error.message);
    throw error;
  }
}

function applyPatch(
  core: RegistryCore,
  definition: ResourceDefinition,
  type: PatchType,
  live: KubeObject,
  patch: unknown,
): unknown {
  try {
    switch (type) {
      case "application/json-patch+json":
        return jsonPatch(live, patch);
      case "application/merge-patch+json":
        if (typeof patch !== "object" || patch === null || Array.isArray(patch)) {
          throw new MalformedPatchError("json: cannot unmarshal array into Go value of type map[string]interface {}");
        }
        return mergePatch(live, patch);
      default:
        if (definition.custom) {
          throw apiError.unsupportedMediaType(
            "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
          );
        }
        return strategicMergePatch(core.types, definition.typeName, live, patch);
    }
  } catch (error) {
    if (error instanceof MalformedPatchError) throw apiError.badRequest(error.message);
    if (error instanceof PatchError) {
      throw type === "application/json-patch+json"
        ? new ApiError(422, "Invalid", "the server rejected our request due to an error in our request", {})
        : apiError.badRequest(error.message);
    }
    throw error;
  }
}

/**
 * The object that an applied configuration makes of `live` (undefined: makes new), with its managedFields.
 *
 * @returns `changed` false when neither a value nor an owner changes
 */
export function applied(
  core: RegistryCore,
  definition: ResourceDefinition,
  live: KubeObject | undefined,
  config: unknown,
  target: { namespace?: string; name?: string; subresource?: string },
  context: RequestContext,
): { object: KubeObject; changed: boolean } {
  if (!context.fieldManager) {
    throw new ApiError(
      422,
      "Invalid",
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
      {
        group: "meta.k8s.io",
        kind: "PatchOptions",
        causes: [
          {
            reason: "FieldValueRequired",
            message: "Required value: is required for apply patch",
            field: "fieldManager",
          },
        ],
      },
    );
  }
  const typed = typedConfig(core, definition, config, target);
  if ((typed.metadata.managedFields?.length ?? 0) > 0) throw apiError.badRequest("metadata.managedFields must be nil");
  const writer = {
    manager: context.fieldManager,
    apiVersion: apiVersion(definition.info),
    subresource: target.subresource,
    now: rfc3339(core.clock.now()),
  };
  const { object, changed } = applyServerSide(
    core.types,
    definition.typeName,
    live,
    typed,
    writer,
    context.force === true,
  );
  const { managedFields } = object.metadata;
  const whole = completed(core, definition, object as unknown as Record<string, unknown>);
  whole.metadata.managedFields = managedFields;
  return { object: whole, changed };
}

function typedConfig(
  core: RegistryCore,
  definition: ResourceDefinition,
  config: unknown,
  { namespace = "", name = "" }: { namespace?: string; name?: string },
): KubeObject {
  const { info, typeName } = definition;
  const given = config as { kind?: string; apiVersion?: string } | null;
  if (typeof config !== "object" || config === null || Array.isArray(config)) {
    throw apiError.badRequest("error decoding YAML: the applied configuration is no object");
  }
  if (given?.kind === undefined) throw apiError.badRequest("Object 'Kind' is missing in the applied configuration");
  if (given.apiVersion !== apiVersion(info)) {
    throw apiError.badRequest(
      `Incorrect version specified in apply patch. Specified patch version: ${String(given.apiVersion)}, expected: ${apiVersion(info)}`,
    );
  }
  const failed = (why: string) =>
    new ApiError(
      500,
      "",
      `failed to create typed patch object (${namespace}/${name}; ${apiVersion(info)}, Kind=${info.kind}): ${why}`,
    );
  try {
    const { object, strictErrors } = decode(core.types, typeName, config);
    const unknown = strictErrors.map((e) => `.${/"(.*)"/.exec(e)?.[1] ?? e}: field not declared in schema`);
    if (unknown.length === 1) throw failed(unknown[0]!);
    if (unknown.length > 1) throw failed(`errors:\n${unknown.map((u) => `  ${u}`).join("\n")}`);
    return { ...object, metadata: object["metadata"] ?? {} } as KubeObject;
  } catch (error) {
    if (error instanceof DecodeError) throw failed(error.message);
    throw error;
  }
}

function invalidPatch(shown: string, why: string): ApiError {
  const error = fieldError.invalid("patch", shown, why);
  return new ApiError(422, "Invalid", ` "" is invalid: ${error.field}: ${error.message}`, {
    causes: [{ reason: error.type, message: error.message, field: error.field }],
  });
}
