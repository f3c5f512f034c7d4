import type { V1ResourceQuota } from "@kubernetes/client-node";
import type { KubeObject, Wire } from "../api/object.ts";
import type { Evaluator, ScopeSelector } from "./evaluator.ts";

export type ResourceQuota = KubeObject & Wire<V1ResourceQuota>;
export const resourceQuotas = { group: "", resource: "resourcequotas" };

/** Scopes and scope selector of a quota in one form. */
export function scopesOf({ spec }: ResourceQuota): ScopeSelector[] {
  const plain = (spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: "Exists" }));
  return [...plain, ...((spec?.scopeSelector?.matchExpressions ?? []) as ScopeSelector[])];
}

/** Whether an object counts towards a quota, as far as scopes go. */
export function isInScopes(quota: ResourceQuota, evaluator: Evaluator, object: KubeObject): boolean {
  return scopesOf(quota).every((scope) => evaluator.isInScope(object, scope));
}
