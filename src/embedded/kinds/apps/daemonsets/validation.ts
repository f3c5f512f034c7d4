import type { V1DaemonSet, V1DaemonSetUpdateStrategy, V1RollingUpdateDaemonSet } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import type { Wire } from "../../../api/object.ts";
import type { Kind } from "../../define.ts";
import { isEmptySelector, labelSelector } from "../../fields/labels.ts";
import { immutable } from "../../fields/names.ts";
import { atMost100Percent, intOrPercentValue, nonNegative, nonNegativeIntOrPercent } from "../../fields/numbers.ts";
import { validateAlwaysRunning, validateSelected } from "../../pod-spec/owner.ts";

type DaemonSet = Kind<V1DaemonSet>;

export function validate(daemonSet: DaemonSet): FieldError[] {
  const spec = daemonSet.spec;
  if (!spec) return [];
  const errors = [...labelSelector(spec.selector, "spec.selector"), ...validateSelected(spec.selector, spec.template)];
  if (spec.selector && isEmptySelector(spec.selector)) {
    errors.push(fieldError.invalid("spec.selector", spec.selector, "empty selector is invalid for daemonset"));
  }
  return [
    ...errors,
    ...validateAlwaysRunning(spec.template, "DaemonSet"),
    ...nonNegative(spec.minReadySeconds, "spec.minReadySeconds"),
    ...validateUpdateStrategy(spec.updateStrategy ?? {}, "spec.updateStrategy"),
    ...nonNegative(spec.revisionHistoryLimit, "spec.revisionHistoryLimit"),
  ];
}

function validateUpdateStrategy(strategy: Wire<V1DaemonSetUpdateStrategy>, path: string): FieldError[] {
  if (strategy.type === "OnDelete") return [];
  if (strategy.type !== "RollingUpdate") {
    const { maxUnavailable, maxSurge } = strategy.rollingUpdate ?? {};
    const internal = {
      Type: strategy.type ?? "",
      RollingUpdate: strategy.rollingUpdate ? { MaxUnavailable: maxUnavailable ?? 0, MaxSurge: maxSurge ?? 0 } : null,
    };
    return [fieldError.notSupported(path, internal, ["RollingUpdate", "OnDelete"])];
  }
  if (!strategy.rollingUpdate) return [fieldError.required(`${path}.rollingUpdate`)];
  return validateRollingUpdate(strategy.rollingUpdate, `${path}.rollingUpdate`);
}

function validateRollingUpdate(rolling: Wire<V1RollingUpdateDaemonSet>, path: string): FieldError[] {
  const { maxUnavailable, maxSurge } = rolling;
  const errors = [
    ...nonNegativeIntOrPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...nonNegativeIntOrPercent(maxSurge, `${path}.maxSurge`),
    ...atMost100Percent(maxUnavailable, `${path}.maxUnavailable`),
    ...atMost100Percent(maxSurge, `${path}.maxSurge`),
  ];
  const hasUnavailable = intOrPercentValue(maxUnavailable) !== 0;
  const hasSurge = intOrPercentValue(maxSurge) !== 0;
  if (hasUnavailable && hasSurge) {
    errors.push(fieldError.invalid(`${path}.maxSurge`, maxSurge, "may not be set when maxUnavailable is non-zero"));
  } else if (!hasUnavailable && !hasSurge) {
    errors.push(fieldError.required(`${path}.maxUnavailable`, "cannot be 0 when maxSurge is 0"));
  }
  return errors;
}

/** What an update may not change. */
export function validateUpdate(daemonSet: DaemonSet, old: DaemonSet): FieldError[] {
  return immutable(daemonSet.spec?.selector, old.spec?.selector, "spec.selector");
}

export function validateStatusUpdate(daemonSet: DaemonSet, old: DaemonSet): FieldError[] {
  const status = daemonSet.status;
  const counts = [
    "currentNumberScheduled",
    "numberMisscheduled",
    "desiredNumberScheduled",
    "numberReady",
    "observedGeneration",
    "updatedNumberScheduled",
    "numberAvailable",
    "numberUnavailable",
    "collisionCount",
  ] as const;
  const errors = counts.flatMap((field) => nonNegative(status?.[field], `status.${field}`));
  const was = old.status?.collisionCount;
  if (was !== undefined && (status?.collisionCount ?? -1) < was) {
    errors.push(fieldError.invalid("status.collisionCount", status?.collisionCount ?? 0, "cannot be decremented"));
  }
  return errors;
}
