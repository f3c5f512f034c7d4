import type { V1PodSpec } from "@kubernetes/client-node";
import type { Wire } from "../../api/object.ts";
import { compareQuantities, parseQuantity } from "../../api/quantity.ts";

export type QosClass = "Guaranteed" | "Burstable" | "BestEffort";

/** The Pod's quality of service (https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/). */
export function qosClass(spec: Wire<V1PodSpec>): QosClass {
  const all = spec.resources
    ? [spec.resources]
    : [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map((c) => c.resources ?? {});
  const asked = all.some((r) => counted(r.requests).length + counted(r.limits).length > 0);
  if (!asked) return "BestEffort";
  const guaranteed = all.every((r) =>
    ["cpu", "memory"].every((name) => {
      const limit = r.limits?.[name];
      if (limit === undefined || parseQuantity(limit).nano === 0n) return false;
      const request = r.requests?.[name] ?? limit;
      return compareQuantities(parseQuantity(request), parseQuantity(limit)) === 0;
    }),
  );
  return guaranteed ? "Guaranteed" : "Burstable";
}

function counted(amounts: Record<string, string> | undefined): string[] {
  return Object.entries(amounts ?? {})
    .filter(([name, text]) => (name === "cpu" || name === "memory") && parseQuantity(text).nano > 0n)
    .map(([name]) => name);
}
