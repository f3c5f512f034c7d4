import type { V1ReplicaSet } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import type { FieldError } from "../../../api/field-error.ts";
import { defineKind, type Kind } from "../../define.ts";
import { keepSpec, nextGeneration, startWith } from "../../fields/generation.ts";
import { formatLabelSelector } from "../../fields/labels.ts";
import { immutable } from "../../fields/names.ts";
import { nonNegative } from "../../fields/numbers.ts";
import { validateAlwaysRunning, validateRequiredSelector, validateSelected } from "../../pod-spec/owner.ts";
import { applyTemplateDefaults } from "../../pod-spec/template.ts";
import { nameWarnings, templateWarnings } from "../../pod-spec/warnings.ts";
import { containerCells } from "../../table/containers.ts";

type ReplicaSet = Kind<V1ReplicaSet>;

/** The server's message speaks of a deployment here. */
function validate({ spec }: ReplicaSet): FieldError[] {
  if (!spec) return [];
  return [
    ...nonNegative(spec.replicas, "spec.replicas"),
    ...nonNegative(spec.minReadySeconds, "spec.minReadySeconds"),
    ...validateRequiredSelector(spec.selector, "deployment"),
    ...validateSelected(spec.selector, spec.template),
    ...validateAlwaysRunning(spec.template, "ReplicaSet"),
  ];
}

export const replicaSets = defineKind<ReplicaSet>({
  group: "apps",
  resource: "replicasets",
  applyDefaults({ spec }) {
    if (!spec) return;
    applyTemplateDefaults(spec);
    spec.replicas ??= 1;
  },
  prepareForCreate: startWith({ replicas: 0 }),
  prepareForUpdate: nextGeneration,
  prepareForStatusUpdate: keepSpec,
  validate,
  validateUpdate: (replicaSet, old) => immutable(replicaSet.spec?.selector, old.spec?.selector, "spec.selector"),
  warnings: (replicaSet, old) => [
    ...nameWarnings(replicaSet.metadata.name, !old),
    ...templateWarnings(replicaSet.spec?.template, "spec.template"),
  ],
  selectableFields: { "status.replicas": (replicaSet) => String(replicaSet.status?.replicas ?? 0) },
  cells: ({ metadata, spec, status }, now) => [
    metadata.name,
    spec?.replicas ?? 0,
    status?.replicas ?? 0,
    status?.readyReplicas ?? 0,
    ageSince(metadata.creationTimestamp, now),
    ...containerCells(spec?.template),
    formatLabelSelector(spec?.selector),
  ],
});
