import { apiError } from "../../api/api-error.ts";
import { fieldError } from "../../api/field-error.ts";
import { copy, type KubeObject } from "../../api/object.ts";
import type { ResourceDefinition } from "../resource-catalogue.ts";

/** autoscaling/v1 Scale of an object that has replicas. */
export function scaleOf(definition: ResourceDefinition, object: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const paths = pathsOf(definition);
  const selector = readPath(object, paths.selector);
  return {
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: readPath(object, paths.spec) ?? 0 },
    status: {
      replicas: readPath(object, paths.status) ?? 0,
      ...(selector === undefined ? {} : { selector: typeof selector === "string" ? selector : selectorText(selector) }),
    },
  } as KubeObject;
}

/** The object with the replicas of a Scale that a client sent. Throws ApiError for a negative number. */
export function withScale(definition: ResourceDefinition, object: KubeObject, scale: KubeObject): KubeObject {
  const replicas = (scale["spec"] as { replicas?: number } | undefined)?.replicas ?? 0;
  if (!Number.isInteger(replicas) || replicas < 0) {
    throw apiError.invalid({ group: "autoscaling", kind: "Scale" }, object.metadata.name!, [
      fieldError.invalid("spec.replicas", replicas, "must be greater than or equal to 0"),
    ]);
  }
  const next = copy(object);
  let node = next as Record<string, unknown>;
  const path = pathsOf(definition).spec;
  for (const part of path.slice(0, -1)) {
    node[part] ??= {};
    node = node[part] as Record<string, unknown>;
  }
  node[path.at(-1)!] = replicas;
  next.metadata.resourceVersion = scale.metadata.resourceVersion ?? object.metadata.resourceVersion;
  return next;
}

function pathsOf(definition: ResourceDefinition): { spec: string[]; status: string[]; selector: string[] } {
  const custom = definition.custom?.scale;
  const parts = (path: string) => path.split(".").filter((part) => part !== "");
  if (custom) {
    const selector = custom.labelSelectorPath === undefined ? [] : parts(custom.labelSelectorPath);
    return { spec: parts(custom.specReplicasPath), status: parts(custom.statusReplicasPath), selector };
  }
  return { spec: ["spec", "replicas"], status: ["status", "replicas"], selector: ["spec", "selector"] };
}

function readPath(object: KubeObject, path: readonly string[]): unknown {
  if (path.length === 0) return undefined;
  let value: unknown = object;
  for (const part of path) value = (value as Record<string, unknown> | undefined)?.[part];
  return value;
}

/** A LabelSelector, or a ReplicationController's map, as a string. */
function selectorText(selector: unknown): string {
  const { matchLabels, matchExpressions, ...rest } = selector as {
    matchLabels?: Record<string, string>;
    matchExpressions?: { key: string; operator: string; values?: string[] }[];
  } & Record<string, unknown>;
  const plain = matchLabels ?? (matchExpressions === undefined ? (rest as Record<string, string>) : {});
  const terms = Object.entries(plain).map(([key, value]) => `${key}=${value}`);
  for (const { key, operator, values = [] } of matchExpressions ?? []) {
    if (operator === "Exists") terms.push(key);
    else if (operator === "DoesNotExist") terms.push(`!${key}`);
    else terms.push(`${key} ${operator.toLowerCase()} (${[...values].sort().join(",")})`);
  }
  return terms.sort().join(",");
}
