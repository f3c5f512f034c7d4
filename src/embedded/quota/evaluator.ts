import type { KubeObject } from "../api/object.ts";
import type { Amounts } from "./amounts.ts";

export interface ScopeSelector {
  scopeName: string;
  operator: string;
  values?: string[];
}

/** How the objects of one resource count towards quotas. */
export interface Evaluator {
  /** Those of a quota's resources that such objects use. */
  resources(names: readonly string[]): string[];
  usage(object: KubeObject, now: number): Amounts;
  isInScope(object: KubeObject, scope: ScopeSelector): boolean;
  /** Whether a write has to be looked at. */
  isCharged(
    operation: "CREATE" | "UPDATE",
    subresource: string,
    object: KubeObject,
    old: KubeObject | undefined,
  ): boolean;
  /** What is missing in an object that a quota counts: `limits.cpu for: nginx`. */
  missing?(names: readonly string[], object: KubeObject): string | undefined;
}
