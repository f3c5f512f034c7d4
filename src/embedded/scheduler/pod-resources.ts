import type { V1PodSpec } from "@kubernetes/client-node";
import type { Wire } from "../api/object.ts";
import { isSidecar } from "../api/pod.ts";
import { parseQuantity, quantityMilliValue, quantityValue } from "../api/quantity.ts";

/** Amounts by resource: `cpu` in thousandths, everything else in its whole units (bytes, devices). */
export type Resources = Record<string, number>;

/** Reads a resource list (`{cpu: "100m", memory: "1Gi"}`). */
export function readResources(list: Record<string, string> | undefined): Resources {
  const resources: Resources = {};
  for (const [name, amount] of Object.entries(list ?? {})) {
    const quantity = parseQuantity(amount);
    resources[name] = name === "cpu" ? quantityMilliValue(quantity) : quantityValue(quantity);
  }
  return resources;
}

/** Adds `more` to `total`, `sign` times. */
export function addResources(total: Resources, more: Resources, sign = 1): Resources {
  for (const [name, amount] of Object.entries(more)) total[name] = (total[name] ?? 0) + sign * amount;
  return total;
}

/**
 * What a Pod takes of a node: the larger of what its containers and sidecars need together and what it needs while an
 * init container runs, plus the overhead of its runtime class; amounts given for the Pod as a whole replace those
 * (https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/#resource-sharing-within-containers).
 */
export function podRequests(spec: Wire<V1PodSpec>): Resources {
  const total: Resources = {};
  for (const container of spec.containers) addResources(total, readResources(container.resources?.requests));
  const sidecars: Resources = {};
  const peak: Resources = {};
  for (const container of spec.initContainers ?? []) {
    const requests = readResources(container.resources?.requests);
    if (isSidecar(container)) {
      addResources(total, requests);
      addResources(sidecars, requests);
      largest(peak, sidecars);
    } else largest(peak, addResources({ ...sidecars }, requests));
  }
  largest(total, peak);
  const whole = readResources((spec as { resources?: { requests?: Record<string, string> } }).resources?.requests);
  Object.assign(total, whole);
  return addResources(total, readResources(spec.overhead));
}

/** Host ports a Pod's containers occupy, as `address/protocol/port`. */
export function hostPorts(spec: Wire<V1PodSpec>): string[] {
  const containers = [...spec.containers, ...(spec.initContainers ?? []).filter(isSidecar)];
  return containers.flatMap((c) =>
    (c.ports ?? [])
      .filter((p) => p.hostPort)
      .map((p) => `${p.hostIP || "0.0.0.0"}/${p.protocol ?? "TCP"}/${p.hostPort}`),
  );
}

function largest(total: Resources, other: Resources): void {
  for (const [name, amount] of Object.entries(other)) total[name] = Math.max(total[name] ?? 0, amount);
}
