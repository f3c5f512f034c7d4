import { equal } from "../api/object.ts";
import type { Pod, PodCondition } from "../api/pod.ts";
import { unless } from "../controllers/framework/expected-errors.ts";
import { pods } from "../controllers/framework/resources.ts";
import type { Api, RequestContext } from "../registry/api.ts";

export type PodStatus = NonNullable<Pod["status"]>;

/**
 * Writes a Pod's status when it differs from what is stored.
 * @returns the Pod as it now is; undefined when it is gone or another write came between
 */
export function writePodStatus(api: Api, as: RequestContext, pod: Pod, status: PodStatus): Pod | undefined {
  if (equal(pod.status, status)) return pod;
  const target = { ...pods, namespace: pod.metadata.namespace!, name: pod.metadata.name!, subresource: "status" };
  const result = unless(["NotFound", "Conflict"], () => api.update(target, { ...pod, status }, as));
  return result?.object as Pod | undefined;
}

/** The conditions with `condition` in the place of the one of its type; the transition time stays if the status does. */
export function withCondition(
  conditions: readonly PodCondition[] | undefined,
  condition: Omit<PodCondition, "lastTransitionTime" | "lastProbeTime">,
  now: string,
): PodCondition[] {
  const old = conditions?.find((c) => c.type === condition.type);
  const lastTransitionTime = old?.status === condition.status ? old.lastTransitionTime : now;
  const next = { ...condition, lastProbeTime: null, lastTransitionTime } as unknown as PodCondition;
  if (old === undefined) return [...(conditions ?? []), next];
  return conditions!.map((c) => (c === old ? next : c));
}

/** The observedGeneration of conditions and status (KEP-5067), where the Pod has a generation. */
export function observed(pod: Pod): { observedGeneration?: number } {
  return pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation };
}
