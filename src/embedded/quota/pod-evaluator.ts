import type { V1PodAffinityTerm } from "@kubernetes/client-node";
import type { KubeObject, Wire } from "../api/object.ts";
import { isPodTerminal, type Pod } from "../api/pod.ts";
import { quantityOf } from "../api/quantity.ts";
import { type Amounts, readAmounts } from "./amounts.ts";
import type { Evaluator, ScopeSelector } from "./evaluator.ts";
import { podAmounts } from "./pod-amounts.ts";

const own = [
  "count/pods",
  "pods",
  "cpu",
  "memory",
  "ephemeral-storage",
  "requests.cpu",
  "requests.memory",
  "requests.ephemeral-storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
];
/** Resources that, once a quota counts them, every container has to name. */
const mandatory = ["cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"];

export const pods: Evaluator = {
  resources: (of) =>
    of.filter(
      (name) =>
        own.includes(name) ||
        /^(requests\.)?hugepages-/.test(name) ||
        (name.startsWith("requests.") && name.includes("/") && !name.includes("kubernetes.io/")),
    ),
  usage(object, now) {
    const pod = object as Pod;
    const counted: Amounts = { "count/pods": quantityOf(1) };
    if (isPodTerminal(pod) || isOverdue(pod, now)) return counted;
    const used = computed(podAmounts(pod.spec!, "requests"), podAmounts(pod.spec!, "limits"));
    return { ...counted, ...used };
  },
  isInScope: (object, scope) => isInScope(object as Pod, scope),
  isCharged(operation, subresource, object, old) {
    if (subresource === "resize") return operation === "UPDATE";
    if (subresource !== "") return false;
    return operation === "CREATE" || (old !== undefined && isTerminating(old as Pod) !== isTerminating(object as Pod));
  },
  missing(names, object) {
    const { spec } = object as Pod;
    if ((spec as { resources?: object }).resources !== undefined) return undefined;
    const missing = new Map<string, Set<string>>();
    for (const container of [...spec!.containers, ...(spec!.initContainers ?? [])]) {
      const { requests, limits } = (container.resources ?? {}) as Record<string, Record<string, string>>;
      const has = computed(readAmounts(requests), readAmounts(limits));
      for (const name of names) {
        if (!mandatory.includes(name) || has[name] !== undefined) continue;
        missing.set(name, (missing.get(name) ?? new Set()).add(container.name));
      }
    }
    if (missing.size === 0) return undefined;
    return [...missing]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, containers]) => `${name} for: ${[...containers].sort().join(",")}`)
      .join("; ");
  },
};

/** Requests and limits under the names that quotas give them. */
function computed(requests: Amounts, limits: Amounts): Amounts {
  const amounts: Amounts = { pods: quantityOf(1) };
  for (const name of ["cpu", "memory", "ephemeral-storage"]) {
    const request = requests[name];
    const limit = limits[name];
    if (request) amounts[name] = amounts[`requests.${name}`] = request;
    if (limit) amounts[`limits.${name}`] = limit;
  }
  for (const [name, request] of Object.entries(requests)) {
    if (name.startsWith("hugepages-")) amounts[name] = amounts[`requests.${name}`] = request;
    else if (name.includes("/")) amounts[`requests.${name}`] = request;
  }
  return amounts;
}

/** Its time to end is over, twice: it is only waiting for its node. */
function isOverdue({ metadata }: Pod, now: number): boolean {
  if (metadata.deletionTimestamp === undefined || metadata.deletionGracePeriodSeconds === undefined) return false;
  return now > Date.parse(metadata.deletionTimestamp) + metadata.deletionGracePeriodSeconds * 1000;
}

function isTerminating(pod: Pod): boolean {
  return (pod.spec?.activeDeadlineSeconds ?? -1) >= 0;
}

function isBestEffort(pod: Pod): boolean {
  const containers = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])];
  return containers.every(({ resources }) => {
    const given = { ...resources?.requests, ...resources?.limits } as Record<string, string>;
    return given["cpu"] === undefined && given["memory"] === undefined;
  });
}

function isInScope(pod: Pod, { scopeName, operator, values = [] }: ScopeSelector): boolean {
  switch (scopeName) {
    case "Terminating":
      return isTerminating(pod);
    case "NotTerminating":
      return !isTerminating(pod);
    case "BestEffort":
      return isBestEffort(pod);
    case "NotBestEffort":
      return !isBestEffort(pod);
    case "PriorityClass": {
      const name = pod.spec?.priorityClassName ?? "";
      if (operator === "Exists") return name !== "";
      if (operator === "DoesNotExist") return name === "";
      return values.includes(name) === (operator === "In");
    }
    case "CrossNamespacePodAffinity":
      return reachesOtherNamespaces(pod);
    default:
      return false;
  }
}

function reachesOtherNamespaces(pod: Pod): boolean {
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  const terms: Wire<V1PodAffinityTerm>[] = [podAffinity, podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((weighted) => weighted.podAffinityTerm),
  ]);
  return terms.some((term) => (term.namespaces?.length ?? 0) > 0 || term.namespaceSelector !== undefined);
}

/** A Pod that no longer counts in full, though it is still there. */
export function isReleased(object: KubeObject, before: KubeObject | undefined, now: number): boolean {
  if (before === undefined) return false;
  return Object.keys(pods.usage(object, now)).length < Object.keys(pods.usage(before, now)).length;
}
