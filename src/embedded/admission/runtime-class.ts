import type { V1RuntimeClass } from "@kubernetes/client-node";
import { apiError } from "../api/api-error.ts";
import { equal, type KubeObject, type Wire } from "../api/object.ts";
import type { AdmissionPlugin } from "../registry/core.ts";
import { createdPod, nameInMessages } from "./pod-request.ts";

type RuntimeClass = KubeObject & Wire<V1RuntimeClass>;
const runtimeClasses = { group: "node.k8s.io", resource: "runtimeclasses" };
const pods = { group: "", resource: "pods" };

/** A Pod's runtime class decides on its overhead and on the nodes that have the runtime (RuntimeClass). */
export const runtimeClass: AdmissionPlugin = {
  name: "RuntimeClass",
  mutate(request, { store }) {
    const pod = createdPod(request);
    const spec = pod?.spec;
    if (pod === undefined || !spec?.runtimeClassName) return;
    const refuse = (why: string) => apiError.forbidden(pods, nameInMessages(pod), why);
    const found = store.get(runtimeClasses, "", spec.runtimeClassName) as RuntimeClass | undefined;
    if (found === undefined) {
      throw refuse(`pod rejected: RuntimeClass ${JSON.stringify(spec.runtimeClassName)} not found`);
    }
    const { overhead, scheduling } = found;
    if (overhead?.podFixed) {
      if (Object.keys(spec.overhead ?? {}).length > 0 && !equal(spec.overhead, overhead.podFixed)) {
        throw refuse("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
      }
      spec.overhead = { ...overhead.podFixed };
    }
    for (const [key, value] of Object.entries(scheduling?.nodeSelector ?? {})) {
      const given = spec.nodeSelector?.[key];
      if (given !== undefined && given !== value) {
        throw refuse(
          `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${given}`,
        );
      }
      spec.nodeSelector = { ...spec.nodeSelector, [key]: value };
    }
    const more = (scheduling?.tolerations ?? []).filter((t) => !spec.tolerations?.some((have) => equal(have, t)));
    if (more.length > 0) spec.tolerations = [...(spec.tolerations ?? []), ...more];
  },
};
