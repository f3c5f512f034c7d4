import type { V1HorizontalPodAutoscaler, V2HorizontalPodAutoscaler } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import { pathSegmentErrors } from "../../../api/names.ts";
import { defineKind, type Kind } from "../../define.ts";
import { keepSpec, nextGeneration, startWith } from "../../fields/generation.ts";
import { named } from "../../fields/names.ts";
import { toV1, toV2 } from "./conversion.ts";
import { formatTargets } from "./targets.ts";

type HorizontalPodAutoscaler = Kind<V2HorizontalPodAutoscaler>;

/** A body of autoscaling/v1 becomes the stored form first. */
function applyDefaults(object: HorizontalPodAutoscaler): void {
  if (object.apiVersion === "autoscaling/v1") {
    Object.assign(object, toV2(object as unknown as Kind<V1HorizontalPodAutoscaler>));
  }
  const spec = object.spec;
  if (!spec) return;
  spec.minReplicas ??= 1;
  if ((spec.metrics ?? []).length === 0) {
    spec.metrics = [
      { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
    ];
  }
  if (!spec.behavior) return;
  const down = [{ type: "Percent", value: 100, periodSeconds: 15 }];
  const up = [{ type: "Pods", value: 4, periodSeconds: 15 }, ...down];
  if (spec.behavior.scaleUp) {
    spec.behavior.scaleUp = {
      stabilizationWindowSeconds: 0,
      selectPolicy: "Max",
      policies: up,
      ...spec.behavior.scaleUp,
    };
  }
  if (spec.behavior.scaleDown) {
    spec.behavior.scaleDown = { selectPolicy: "Max", policies: down, ...spec.behavior.scaleDown };
  }
}

function validate({ spec }: HorizontalPodAutoscaler): FieldError[] {
  if (!spec) return [];
  const min = spec.minReplicas;
  const max = spec.maxReplicas ?? 0;
  const errors: FieldError[] = [];
  if (min !== undefined && min < 1) {
    errors.push(fieldError.invalid("spec.minReplicas", min, "must be greater than or equal to 1"));
  }
  if (max === 0) errors.push(fieldError.required("spec.maxReplicas", "must be set and greater than 0"));
  else if (max < 0) errors.push(fieldError.invalid("spec.maxReplicas", max, "must be greater than or equal to 1"));
  if (min !== undefined && max < min) {
    errors.push(fieldError.invalid("spec.maxReplicas", max, "must be greater than or equal to `minReplicas`"));
  }
  for (const field of ["kind", "name"] as const) {
    const value = spec.scaleTargetRef?.[field];
    const at = `spec.scaleTargetRef.${field}`;
    errors.push(...(value ? named(value, at, pathSegmentErrors) : [fieldError.required(at)]));
  }
  return errors;
}

export const horizontalPodAutoscalers = defineKind<HorizontalPodAutoscaler>({
  group: "autoscaling",
  resource: "horizontalpodautoscalers",
  applyDefaults,
  prepareForCreate: startWith({ desiredReplicas: 0, currentMetrics: null }),
  prepareForUpdate: nextGeneration,
  prepareForStatusUpdate: keepSpec,
  validate,
  fromStored: { v1: toV1 },
  cells: ({ metadata, spec, status }, now) => [
    metadata.name,
    `${spec?.scaleTargetRef.kind}/${spec?.scaleTargetRef.name}`,
    formatTargets(spec?.metrics, status?.currentMetrics),
    spec?.minReplicas === undefined ? "<unset>" : String(spec.minReplicas),
    spec?.maxReplicas ?? 0,
    status?.currentReplicas ?? 0,
    ageSince(metadata.creationTimestamp, now),
  ],
});
