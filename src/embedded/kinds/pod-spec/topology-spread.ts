import type { V1TopologySpreadConstraint } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../api/field-error.ts";
import type { Wire } from "../../api/object.ts";
import { labelSelector } from "../fields/labels.ts";
import { positive } from "../fields/numbers.ts";

type Constraint = Wire<V1TopologySpreadConstraint>;

const actions = ["DoNotSchedule", "ScheduleAnyway"];
const inclusionPolicies = ["Honor", "Ignore"];

/** How a Pod's replicas spread over zones or nodes. */
export function validateTopologySpread(constraints: Constraint[] | undefined, path: string): FieldError[] {
  return (constraints ?? []).flatMap((constraint, i) => {
    const at = `${path}[${i}]`;
    const errors = positive(constraint.maxSkew, `${at}.maxSkew`);
    if (!constraint.topologyKey) errors.push(fieldError.required(`${at}.topologyKey`, "can not be empty"));
    if (!actions.includes(constraint.whenUnsatisfiable)) {
      errors.push(fieldError.notSupported(`${at}.whenUnsatisfiable`, constraint.whenUnsatisfiable ?? "", actions));
    }
    const same = (constraints ?? [])
      .slice(i + 1)
      .some((o) => o.topologyKey === constraint.topologyKey && o.whenUnsatisfiable === constraint.whenUnsatisfiable);
    if (same) {
      errors.push(
        fieldError.duplicate(
          `${at}.{topologyKey, whenUnsatisfiable}`,
          `{${constraint.topologyKey}, ${constraint.whenUnsatisfiable}}`,
        ),
      );
    }
    if (constraint.minDomains !== undefined) {
      errors.push(...positive(constraint.minDomains, `${at}.minDomains`));
      if (constraint.whenUnsatisfiable !== "DoNotSchedule") {
        errors.push(
          fieldError.invalid(
            `${at}.minDomains`,
            constraint.minDomains,
            `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${constraint.whenUnsatisfiable}`,
          ),
        );
      }
    }
    for (const field of ["nodeAffinityPolicy", "nodeTaintsPolicy"] as const) {
      const policy = constraint[field];
      if (policy !== undefined && !inclusionPolicies.includes(policy)) {
        errors.push(fieldError.notSupported(`${at}.${field}`, policy, inclusionPolicies));
      }
    }
    return [...errors, ...labelSelector(constraint.labelSelector, `${at}.labelSelector`)];
  });
}
