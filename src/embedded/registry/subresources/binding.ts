import { ApiError, apiError } from "../../api/api-error.ts";
import { rfc3339 } from "../../api/clock.ts";
import { fieldError } from "../../api/field-error.ts";
import { copy, type KubeObject } from "../../api/object.ts";
import type { RegistryCore } from "../core.ts";

const pods = { group: "", resource: "pods" };

/**
 * A Binding names a node (kinds other than Node were meant once).
 *
 * @throws ApiError 500: the API server takes these findings for an error of its own
 */
export function assertTarget(binding: KubeObject): void {
  const { kind = "", name = "" } = (binding["target"] ?? {}) as { kind?: string; name?: string };
  const errors = [];
  if (kind !== "" && kind !== "Node") errors.push(fieldError.notSupported("target.kind", kind, ["Node", "<empty>"]));
  if (name === "") errors.push(fieldError.required("target.name"));
  if (errors.length === 0) return;
  const texts = errors.map(({ field, message }) => `${field}: ${message}`);
  throw new ApiError(500, "", texts.length === 1 ? texts[0]! : `[${texts.join(", ")}]`);
}

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
