import type { V1PodSpec } from "@kubernetes/client-node";
import type { Wire } from "../api/object.ts";
import { type Container, isSidecar } from "../api/pod.ts";
import { type Amounts, addAmounts, largestAmounts, readAmounts } from "./amounts.ts";

type PodSpec = Wire<V1PodSpec>;

/**
 * What a Pod requests, or may use at most: its containers and sidecars together, or an init container if that is more;
 * amounts given for the Pod as a whole replace those.
 */
export function podAmounts(spec: PodSpec, of: "requests" | "limits"): Amounts {
  const amounts = (container: Container) =>
    readAmounts(container.resources?.[of] as Record<string, string> | undefined);
  let total: Amounts = {};
  for (const container of spec.containers) total = addAmounts(total, amounts(container));
  let sidecars: Amounts = {};
  let peak: Amounts = {};
  for (const container of spec.initContainers ?? []) {
    if (isSidecar(container)) {
      total = addAmounts(total, amounts(container));
      sidecars = addAmounts(sidecars, amounts(container));
      peak = largestAmounts(peak, sidecars);
    } else peak = largestAmounts(peak, addAmounts(sidecars, amounts(container)));
  }
  const whole = (spec as { resources?: Record<string, Record<string, string>> }).resources?.[of];
  return { ...largestAmounts(total, peak), ...readAmounts(whole) };
}
