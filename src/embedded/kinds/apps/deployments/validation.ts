import type { V1Deployment, V1DeploymentStrategy } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import type { Wire } from "../../../api/object.ts";
import type { Kind } from "../../define.ts";
import { immutable } from "../../fields/names.ts";
import { atMost100Percent, intOrPercentValue, nonNegative, nonNegativeIntOrPercent } from "../../fields/numbers.ts";
import { validateAlwaysRunning, validateRequiredSelector, validateSelected } from "../../pod-spec/owner.ts";

type Deployment = Kind<V1Deployment>;

export function validate({ spec }: Deployment): FieldError[] {
  if (!spec) return [];
  const errors = [
    ...nonNegative(spec.replicas, "spec.replicas"),
    ...validateRequiredSelector(spec.selector, "deployment"),
    ...validateSelected(spec.selector, spec.template),
    ...validateAlwaysRunning(spec.template, "ReplicaSet"),
    ...validateStrategy(spec.strategy ?? {}),
    ...nonNegative(spec.minReadySeconds, "spec.minReadySeconds"),
    ...nonNegative(spec.revisionHistoryLimit, "spec.revisionHistoryLimit"),
  ];
  const deadline = spec.progressDeadlineSeconds;
  if (deadline !== undefined) {
    errors.push(...nonNegative(deadline, "spec.progressDeadlineSeconds"));
    if (deadline <= (spec.minReadySeconds ?? 0)) {
      errors.push(fieldError.invalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds"));
    }
  }
  return errors;
}

function validateStrategy(strategy: Wire<V1DeploymentStrategy>): FieldError[] {
  const path = "spec.strategy";
  const rolling = strategy.rollingUpdate;
  if (strategy.type === "Recreate") {
    return rolling
      ? [fieldError.forbidden(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")]
      : [];
  }
  if (strategy.type !== "RollingUpdate") {
    const internal = {
      Type: strategy.type ?? "",
      RollingUpdate: rolling ? { MaxUnavailable: rolling.maxUnavailable ?? 0, MaxSurge: rolling.maxSurge ?? 0 } : null,
    };
    return [fieldError.notSupported(path, internal, ["Recreate", "RollingUpdate"])];
  }
  if (!rolling) {
    return [fieldError.required(`${path}.rollingUpdate`, "this should be defaulted and never be nil")];
  }
  const { maxUnavailable, maxSurge } = rolling;
  const at = `${path}.rollingUpdate`;
  return [
    ...nonNegativeIntOrPercent(maxUnavailable, `${at}.maxUnavailable`),
    ...nonNegativeIntOrPercent(maxSurge, `${at}.maxSurge`),
    ...(intOrPercentValue(maxUnavailable) === 0 && intOrPercentValue(maxSurge) === 0
      ? [fieldError.invalid(`${at}.maxUnavailable`, maxUnavailable ?? 0, "may not be 0 when `maxSurge` is 0")]
      : []),
    ...atMost100Percent(maxUnavailable, `${at}.maxUnavailable`),
  ];
}

export function validateUpdate(deployment: Deployment, old: Deployment): FieldError[] {
  return immutable(deployment.spec?.selector, old.spec?.selector, "spec.selector");
}
