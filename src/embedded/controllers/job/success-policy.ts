import type { V1SuccessPolicy } from "@kubernetes/client-node";
import type { Wire } from "../../api/object.ts";
import { parseIndexes } from "./indexes.ts";

/**
 * The message of the first rule that is met, by which a Job is a success before all of its indexes are
 * (https://kubernetes.io/docs/concepts/workloads/controllers/job/#success-policy).
 */
export function metSuccessPolicy(
  policy: Wire<V1SuccessPolicy> | undefined,
  completions: number,
  succeeded: ReadonlySet<number>,
): string | undefined {
  if (policy === undefined || succeeded.size === 0) return undefined;
  const index = policy.rules.findIndex((rule) => {
    const count = rule.succeededCount ?? Number.POSITIVE_INFINITY;
    if (rule.succeededIndexes === undefined) return succeeded.size >= count;
    const wanted = parseIndexes(rule.succeededIndexes, completions);
    const reached = [...wanted].filter((i) => succeeded.has(i)).length;
    return wanted.size > 0 && (reached === wanted.size || reached >= count);
  });
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}
