import type { V1PriorityClass } from "@kubernetes/client-node";
import { apiError } from "../api/api-error.ts";
import type { KubeObject, Wire } from "../api/object.ts";
import type { AdmissionPlugin } from "../registry/core.ts";
import { createdPod, nameInMessages } from "./pod-request.ts";

type PriorityClass = KubeObject & Wire<V1PriorityClass>;
const classes = { group: "scheduling.k8s.io", resource: "priorityclasses" };

/** Resolves a Pod's priority class to its number and policy (Priority). */
export const priority: AdmissionPlugin = {
  name: "Priority",
  mutate(request, { store }) {
    const pod = createdPod(request);
    if (pod?.spec === undefined) return;
    const { spec } = pod;
    let found: PriorityClass | undefined;
    if (spec.priorityClassName) {
      found = store.get(classes, "", spec.priorityClassName) as PriorityClass | undefined;
      if (found === undefined) {
        throw apiError.forbidden(
          { group: "", resource: "pods" },
          nameInMessages(pod),
          `no PriorityClass with name ${spec.priorityClassName} was found`,
        );
      }
    } else {
      found = (store.list(classes) as readonly PriorityClass[]).find((c) => c.globalDefault === true);
      if (found !== undefined) spec.priorityClassName = found.metadata.name;
    }
    const value = found?.value ?? 0;
    const policy = found?.preemptionPolicy ?? "PreemptLowerPriority";
    if (spec.priority !== undefined && spec.priority !== value) {
      throw apiError.forbidden(
        { group: "", resource: "pods" },
        nameInMessages(pod),
        `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
      );
    }
    spec.priority = value;
    spec.preemptionPolicy ??= policy;
  },
};
