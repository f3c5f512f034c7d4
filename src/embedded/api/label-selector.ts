import type { V1LabelSelector } from "@kubernetes/client-node";
import type { Wire } from "./object.ts";

export type Labels = Record<string, string>;

/** One requirement on a label (matchExpressions of a LabelSelector or of a node selector). */
export interface LabelRequirement {
  key: string;
  operator: string;
  values?: string[];
}

/**
 * Whether labels satisfy a metav1.LabelSelector. An absent selector matches nothing, an empty one everything
 * (metav1.LabelSelectorAsSelector).
 */
export function matchesLabelSelector(selector: Wire<V1LabelSelector> | undefined, labels: Labels | undefined): boolean {
  if (selector === undefined || selector === null) return false;
  return (
    matchesLabels(selector.matchLabels ?? {}, labels) &&
    (selector.matchExpressions ?? []).every((requirement) => matchesRequirement(requirement, labels ?? {}))
  );
}

/** Whether all pairs of `wanted` are among `labels`: a Service's or a node selector. */
export function matchesLabels(wanted: Labels, labels: Labels | undefined): boolean {
  return Object.entries(wanted).every(([key, value]) => labels?.[key] === value);
}

/** One requirement; `Gt` and `Lt` compare integers and are false for labels that are none. */
export function matchesRequirement(requirement: LabelRequirement, labels: Labels): boolean {
  // A label may be called like something every object has.
  const value = Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined;
  const values = requirement.values ?? [];
  switch (requirement.operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
    case "Lt": {
      if (value === undefined || !/^-?[0-9]+$/.test(value) || !/^-?[0-9]+$/.test(values[0] ?? "")) return false;
      return requirement.operator === "Gt" ? BigInt(value) > BigInt(values[0]!) : BigInt(value) < BigInt(values[0]!);
    }
    default:
      return false;
  }
}
