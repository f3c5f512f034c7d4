import type { KubeObject } from "../../api/object.ts";
import type { RequestContext } from "../api.ts";
import type { RegistryCore } from "../core.ts";
import { decodeBody } from "../request-body.ts";
import type { ResourceDefinition } from "../resource-catalogue.ts";

/** Bodies of subresources that are of a kind of their own. */
const kinds = {
  Scale: { group: "autoscaling", version: "v1", typeName: "io.k8s.api.autoscaling.v1.Scale" },
  Binding: { group: "", version: "v1", typeName: "io.k8s.api.core.v1.Binding" },
  Eviction: { group: "policy", version: "v1", typeName: "io.k8s.api.policy.v1.Eviction" },
} as const;

/** `policy/v1beta1` Evictions, of the same shape, are taken as well: https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/ */
const earlierEviction = "policy/v1beta1";

/**
 * The body of a write to a subresource, decoded.
 *
 * @throws ApiError 400 in the decoder's words
 */
export function subresourceBody(
  core: RegistryCore,
  definition: ResourceDefinition,
  kind: keyof typeof kinds,
  body: unknown,
  context: RequestContext,
): KubeObject {
  const { group, version, typeName } = kinds[kind];
  const info = { ...definition.info, group, version, kind };
  const earlier = kind === "Eviction" && (body as KubeObject | null)?.apiVersion === earlierEviction;
  const current = earlier ? { ...(body as KubeObject), apiVersion: `${group}/${version}` } : body;
  return decodeBody(core, { ...definition, info, typeName, strategy: undefined }, current, context);
}
