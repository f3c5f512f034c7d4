import { apiError } from "../../api/api-error.ts";
import { rfc3339 } from "../../api/clock.ts";
import { copy, type KubeObject } from "../../api/object.ts";
import type { RegistryCore } from "../core.ts";

const pods = { group: "", resource: "pods" };

/** What a scheduler does: writes the node's name into the Pod, once, and the condition that says so. */
export function bindPod(core: RegistryCore, pod: KubeObject, binding: KubeObject): KubeObject {
  const node = (binding["target"] as { name?: string } | undefined)?.name ?? "";
  const spec = pod["spec"] as { nodeName?: string; schedulingGates?: unknown[] };
  const name = pod.metadata.name!;
  if (binding.metadata?.uid && binding.metadata.uid !== pod.metadata.uid) {
    throw apiError.conflict(
      pods,
      name,
      `Precondition failed: UID in precondition: ${binding.metadata.uid}, UID in object meta: ${pod.metadata.uid}`,
    );
  }
  if (pod.metadata.deletionTimestamp !== undefined) {
    throw apiError.conflict(pods, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if (spec.nodeName) {
    throw apiError.conflict(pods, name, `pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`);
  }
  if ((spec.schedulingGates?.length ?? 0) > 0) {
    throw apiError.conflict(pods, name, `pod ${name} has non-empty .spec.schedulingGates`);
  }
  const next = copy(pod);
  (next["spec"] as { nodeName?: string }).nodeName = node;
  const status = (next["status"] ?? {}) as { conditions?: { type: string }[] };
  const condition = {
    type: "PodScheduled",
    status: "True",
    lastProbeTime: null,
    lastTransitionTime: rfc3339(core.clock.now()),
    ...(next.metadata.generation === undefined ? {} : { observedGeneration: next.metadata.generation }),
  };
  status.conditions = [...(status.conditions ?? []).filter((c) => c.type !== "PodScheduled"), condition];
  next["status"] = status;
  if (binding.metadata?.annotations) {
    next.metadata.annotations = { ...next.metadata.annotations, ...binding.metadata.annotations };
  }
  return core.store.put(pods, next);
}
