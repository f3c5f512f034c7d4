import type { V1Lease } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import { defineKind, type Kind } from "../../define.ts";

function validate({ spec }: Kind<V1Lease>): FieldError[] {
  const { leaseDurationSeconds: seconds, leaseTransitions: transitions } = spec ?? {};
  return [
    ...(seconds !== undefined && seconds <= 0
      ? [fieldError.invalid("spec.leaseDurationSeconds", seconds, "must be greater than 0")]
      : []),
    ...(transitions !== undefined && transitions < 0
      ? [fieldError.invalid("spec.leaseTransitions", transitions, "must be greater than or equal to 0")]
      : []),
  ];
}

export const leases = defineKind<Kind<V1Lease>>({
  group: "coordination.k8s.io",
  resource: "leases",
  validate,
  allowCreateOnUpdate: true,
  cells: ({ metadata, spec }, now) => [
    metadata.name,
    spec?.holderIdentity ?? "",
    ageSince(metadata.creationTimestamp, now),
  ],
});
