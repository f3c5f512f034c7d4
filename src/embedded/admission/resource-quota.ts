import { apiError } from "../api/api-error.ts";
import { copy } from "../api/object.ts";
import { compareQuantities } from "../api/quantity.ts";
import {
  type Amounts,
  addAmounts,
  amountsText,
  increase,
  onlyNamed,
  readAmounts,
  writeAmounts,
} from "../quota/amounts.ts";
import { evaluatorFor, isIgnored } from "../quota/evaluators.ts";
import { isInScopes, type ResourceQuota, resourceQuotas } from "../quota/resource-quota.ts";
import type { AdmissionPlugin } from "../registry/core.ts";

/**
 * Charges what a request uses to the quotas of its namespace, at once, and refuses it where that is too much
 * (https://kubernetes.io/docs/concepts/policy/resource-quotas/).
 */
export const resourceQuota: AdmissionPlugin = {
  name: "ResourceQuota",
  validate({ operation, definition, target, object, old, context }, { store, clock }) {
    const { info, storage } = definition;
    if (operation === "DELETE" || object === undefined || !info.namespaced || isIgnored(info)) return;
    const quotas = store.list(resourceQuotas, target.namespace ?? "") as readonly ResourceQuota[];
    if (quotas.length === 0) return;
    const evaluator = evaluatorFor(storage);
    if (!evaluator.isCharged(operation, target.subresource ?? "", object, old)) return;
    const refuse = (why: string) => apiError.forbidden(info, object.metadata.name ?? "", why);
    const now = clock.now();
    const usage = evaluator.usage(object, now);
    const charged: ResourceQuota[] = [];
    for (const quota of quotas) {
      const { name } = quota.metadata;
      const hard = readAmounts(quota.status?.hard as Record<string, string> | undefined);
      const used = readAmounts(quota.status?.used as Record<string, string> | undefined);
      const names = evaluator.resources(Object.keys(hard));
      if (names.length === 0 || !isInScopes(quota, evaluator, object)) continue;
      const missing = evaluator.missing?.(names, object);
      if (missing !== undefined) throw refuse(`failed quota: ${name}: must specify ${missing}`);
      if (names.some((resource) => used[resource] === undefined)) {
        throw refuse(`status unknown for quota: ${name}, resources: ${[...names].sort().join(",")}`);
      }
      const before = old !== undefined && isInScopes(quota, evaluator, old) ? evaluator.usage(old, now) : {};
      const requested = onlyNamed(increase(usage, before), Object.keys(hard));
      const after = addAmounts(used, requested);
      const exceeded = Object.keys(requested).filter((r) => compareQuantities(after[r]!, hard[r]!) > 0);
      if (exceeded.length > 0) {
        const text = (amounts: Amounts) => amountsText(onlyNamed(amounts, exceeded));
        const amounts = `requested: ${text(requested)}, used: ${text(used)}, limited: ${text(hard)}`;
        throw refuse(`exceeded quota: ${name}, ${amounts}`);
      }
      if (Object.keys(requested).length === 0) continue;
      charged.push({ ...copy(quota), status: { ...copy(quota.status), used: writeAmounts(after) as never } });
    }
    if (context.dryRun) return;
    for (const quota of charged) store.put(resourceQuotas, quota);
  },
};
