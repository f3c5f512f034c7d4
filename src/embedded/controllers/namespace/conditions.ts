import type { V1NamespaceCondition } from "@kubernetes/client-node";
import { rfc3339 } from "../../api/clock.ts";
import type { Wire } from "../../api/object.ts";

export type NamespaceCondition = Wire<V1NamespaceCondition>;

/** What is left in a namespace that is being deleted. */
export interface Remaining {
  /** `pods.` (resource, dot, group) to the number of objects. */
  resources: Map<string, number>;
  finalizers: Map<string, number>;
  /** Texts of failed deletions. */
  errors: string[];
}

const fine: [type: string, reason: string, message: string][] = [
  ["NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered", "All resources successfully discovered"],
  ["NamespaceDeletionGroupVersionParsingFailure", "ParsedGroupVersions", "All legacy kube types successfully parsed"],
  [
    "NamespaceDeletionContentFailure",
    "ContentDeleted",
    "All content successfully deleted, may be waiting on finalization",
  ],
  ["NamespaceContentRemaining", "ContentRemoved", "All content successfully removed"],
  ["NamespaceFinalizersRemaining", "ContentHasNoFinalizers", "All content-preserving finalizers finished"],
];

/** status.conditions of a Namespace whose content is being deleted, as its controller words them. */
export function namespaceConditions(
  before: readonly NamespaceCondition[],
  remaining: Remaining,
  now: number,
): NamespaceCondition[] {
  const bad = new Map<string, { reason: string; message: string }>();
  if (remaining.errors.length > 0) {
    bad.set("NamespaceDeletionContentFailure", {
      reason: "ContentDeletionFailed",
      message: `Failed to delete all resource types, ${remaining.errors.length} remaining: ${[...remaining.errors].sort().join(", ")}`,
    });
  }
  if (remaining.resources.size > 0) {
    bad.set("NamespaceContentRemaining", {
      reason: "SomeResourcesRemain",
      message: `Some resources are remaining: ${counted(remaining.resources, "has")}`,
    });
  }
  if (remaining.finalizers.size > 0) {
    bad.set("NamespaceFinalizersRemaining", {
      reason: "SomeFinalizersRemain",
      message: `Some content in the namespace has finalizers remaining: ${counted(remaining.finalizers, "in")}`,
    });
  }
  const known = new Set(fine.map(([type]) => type));
  const conditions = fine.map(([type, reason, message]) => {
    const found = bad.get(type);
    const status = found === undefined ? "False" : "True";
    const old = before.find((c) => c.type === type);
    const lastTransitionTime = old?.status === status ? old.lastTransitionTime : rfc3339(now);
    return { lastTransitionTime, message: found?.message ?? message, reason: found?.reason ?? reason, status, type };
  });
  return [...before.filter((c) => !known.has(c.type)), ...conditions] as NamespaceCondition[];
}

function counted(counts: Map<string, number>, joint: "has" | "in"): string {
  return [...counts]
    .map(([what, count]) => `${what} ${joint} ${count} resource instances`)
    .sort()
    .join(", ");
}
