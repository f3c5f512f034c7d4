import type { V1PriorityClass } from "@kubernetes/client-node";
import { apiError } from "../api/api-error.ts";
import type { KubeObject, Wire } from "../api/object.ts";
import type { AdmissionPlugin } from "../registry/core.ts";
import type { Store } from "../store/store.ts";
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
      found = defaultClass(store);
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
    if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
      throw apiError.forbidden(
        { group: "", resource: "pods" },
        nameInMessages(pod),
        `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
      );
    }
    spec.preemptionPolicy = policy;
  },
  validate({ definition, object }, { store }) {
    const { group, resource } = definition.info;
    if (group !== classes.group || resource !== classes.resource) return;
    if ((object as PriorityClass | undefined)?.globalDefault !== true) return;
    const now = defaultClass(store);
    if (now === undefined || now.metadata.name === object?.metadata.name) return;
    throw apiError.forbidden(
      classes,
      object?.metadata.name ?? "",
      `PriorityClass ${now.metadata.name} is already marked as default. Only one default can exist`,
    );
  },
};

/** The class of Pods that name none; of several the lowest. */
function defaultClass(store: Store): PriorityClass | undefined {
  const all = (store.list(classes) as readonly PriorityClass[]).filter((c) => c.globalDefault === true);
  return all.sort((a, b) => a.value - b.value)[0];
}
