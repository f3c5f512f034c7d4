import { ApiError } from "../../api/api-error.ts";
import type { KubeObject } from "../../api/object.ts";
import type { Pod } from "../../api/pod.ts";
import type { ControllerContext } from "../framework/controller.ts";
import { groupOf } from "../framework/resource-catalogue.ts";
import { scalableResource } from "../framework/scalable-resource.ts";

export interface Expected {
  count: number;
  /** Pods that belong to nobody: they cannot be counted. */
  unmanaged: string[];
}

/**
 * How many Pods the owners of these Pods want altogether. The owner of an owner counts where it can be scaled: a
 * Deployment for its ReplicaSets.
 *
 * @throws Error for a Pod whose owner cannot be scaled (a DaemonSet, a Job) or is not there
 */
export function expectedPods(context: ControllerContext, pods: readonly Pod[]): Expected {
  const scales = new Map<string, number>();
  const unmanaged: string[] = [];
  for (const pod of pods) {
    const owner = ownerOf(pod);
    if (owner === undefined) unmanaged.push(pod.metadata.name ?? "");
    else if (!scales.has(owner.uid)) {
      const scaled = scaleOf(context, owner, pod.metadata.namespace ?? "");
      if (scaled === undefined) throw new Error(`found no controllers for pod ${JSON.stringify(pod.metadata.name)}`);
      scales.set(scaled.uid, scaled.replicas);
    }
  }
  return { count: [...scales.values()].reduce((sum, n) => sum + n, 0), unmanaged };
}

type Owner = { apiVersion: string; kind: string; name: string; uid: string };

function ownerOf(object: KubeObject): Owner | undefined {
  return object.metadata.ownerReferences?.find((o) => o.controller);
}

function scaleOf(
  context: ControllerContext,
  owner: Owner,
  namespace: string,
): { uid: string; replicas: number } | undefined {
  const { store, api, as } = context;
  const resource = scalableResource(context.store, groupOf(owner.apiVersion), owner.kind);
  if (resource === undefined) return undefined;
  const object = store.get(resource, namespace, owner.name);
  const above = object && object.metadata.uid === owner.uid ? ownerOf(object) : undefined;
  if (owner.kind === "ReplicaSet" && above) return scaleOf(context, above, namespace);
  if (!resource.scalable) {
    const name = resource.group === "" ? resource.resource : `${resource.resource}.${resource.group}`;
    throw new Error(`${name} does not implement the scale subresource`);
  }
  try {
    const scale = api.get({ ...resource, namespace, name: owner.name, subresource: "scale" }, as);
    if (scale.metadata.uid !== owner.uid) return undefined;
    return { uid: owner.uid, replicas: (scale["spec"] as { replicas?: number }).replicas ?? 0 };
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return undefined;
    throw error;
  }
}
