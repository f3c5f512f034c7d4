import type { V1PodDisruptionBudget } from "@kubernetes/client-node";
import { ApiError } from "../../api/api-error.ts";
import { rfc3339 } from "../../api/clock.ts";
import { matchesLabelSelector } from "../../api/label-selector.ts";
import { copy, type KubeObject, type Wire } from "../../api/object.ts";
import type { RegistryCore } from "../core.ts";

type Budget = KubeObject & Wire<V1PodDisruptionBudget>;
const budgets = { group: "policy", resource: "poddisruptionbudgets" };

/**
 * Takes an eviction from the budgets that cover the Pod
 * (https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/). Pods that have ended or are pending need none.
 *
 * @throws ApiError 429 when a budget allows no disruption, 500 when several budgets cover the Pod
 */
export function chargeBudget(core: RegistryCore, pod: KubeObject, dryRun: boolean): void {
  const phase = (pod["status"] as { phase?: string } | undefined)?.phase;
  if (
    phase === "Succeeded" ||
    phase === "Failed" ||
    phase === "Pending" ||
    pod.metadata.deletionTimestamp !== undefined
  )
    return;
  const covering = (core.store.list(budgets, pod.metadata.namespace) as readonly Budget[]).filter((budget) =>
    matchesLabelSelector(budget.spec?.selector, pod.metadata.labels),
  );
  if (covering.length === 0) return;
  if (covering.length > 1) {
    throw new ApiError(
      500,
      "InternalError",
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
  }
  const budget = covering[0]!;
  const { status } = budget;
  const tooMany = (message: string, cause: string) =>
    new ApiError(429, "TooManyRequests", message, {
      causes: [{ reason: "DisruptionBudget", message: cause }],
    });
  if ((status?.observedGeneration ?? 0) < (budget.metadata.generation ?? 0)) {
    throw tooMany(
      "Cannot evict pod as it would violate the pod's disruption budget.",
      `The disruption budget ${budget.metadata.name} is still being processed by the server.`,
    );
  }
  if (isUnhealthyAndMayGo(budget, pod)) return;
  if ((status?.disruptionsAllowed ?? 0) <= 0) {
    throw tooMany(
      "Cannot evict pod as it would violate the pod's disruption budget.",
      `The disruption budget ${budget.metadata.name} needs ${status?.desiredHealthy ?? 0} healthy pods and has ${status?.currentHealthy ?? 0} currently`,
    );
  }
  if (dryRun) return;
  const next = copy(budget);
  next.status!.disruptionsAllowed = (status?.disruptionsAllowed ?? 1) - 1;
  next.status!.disruptedPods = {
    ...next.status!.disruptedPods,
    [pod.metadata.name!]: rfc3339(core.clock.now()),
  } as never;
  core.store.put(budgets, next);
}

function isUnhealthyAndMayGo(budget: Budget, pod: KubeObject): boolean {
  const conditions =
    (pod["status"] as { conditions?: { type: string; status: string }[] } | undefined)?.conditions ?? [];
  if (conditions.some((c) => c.type === "Ready" && c.status === "True")) return false;
  if (budget.spec?.unhealthyPodEvictionPolicy === "AlwaysAllow") return true;
  return (
    (budget.status?.currentHealthy ?? 0) >= (budget.status?.desiredHealthy ?? 0) &&
    (budget.status?.desiredHealthy ?? 0) > 0
  );
}
