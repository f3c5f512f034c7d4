import type { V1PodDisruptionBudget } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import type { IntOrString } from "../../../api/int-or-string.ts";
import { defineKind, type Kind } from "../../define.ts";
import { keepSpec, nextGeneration, startWith } from "../../fields/generation.ts";
import { labelSelector } from "../../fields/labels.ts";
import { atMost100Percent, nonNegativeIntOrPercent } from "../../fields/numbers.ts";

type PodDisruptionBudget = Kind<V1PodDisruptionBudget>;

const evictionPolicies = ["AlwaysAllow", "IfHealthyBudget"];

function validate({ spec }: PodDisruptionBudget): FieldError[] {
  if (!spec) return [];
  const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy: policy } = spec;
  const errors: FieldError[] = [];
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const internal = {
      MinAvailable: minAvailable,
      Selector: spec.selector ?? null,
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: policy ?? null,
    };
    errors.push(fieldError.invalid("spec", internal, "minAvailable and maxUnavailable cannot be both set"));
  }
  for (const field of ["minAvailable", "maxUnavailable"] as const) {
    const value = spec[field] as IntOrString | undefined;
    if (value === undefined) continue;
    errors.push(...nonNegativeIntOrPercent(value, `spec.${field}`), ...atMost100Percent(value, `spec.${field}`));
  }
  errors.push(...labelSelector(spec.selector, "spec.selector"));
  if (policy !== undefined && !evictionPolicies.includes(policy)) {
    errors.push(fieldError.notSupported("spec.unhealthyPodEvictionPolicy", policy, evictionPolicies));
  }
  return errors;
}

export const podDisruptionBudgets = defineKind<PodDisruptionBudget>({
  group: "policy",
  resource: "poddisruptionbudgets",
  prepareForCreate: startWith({ disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }),
  prepareForUpdate: nextGeneration,
  prepareForStatusUpdate: keepSpec,
  validate,
  cells: ({ metadata, spec, status }, now) => [
    metadata.name,
    String(spec?.minAvailable ?? "N/A"),
    String(spec?.maxUnavailable ?? "N/A"),
    status?.disruptionsAllowed ?? 0,
    ageSince(metadata.creationTimestamp, now),
  ],
});
