import type { V1ReplicationController } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import { defineKind, type Kind } from "../../define.ts";
import { keepSpec, nextGeneration, startWith } from "../../fields/generation.ts";
import { formatLabels, labels } from "../../fields/labels.ts";
import { nonNegative } from "../../fields/numbers.ts";
import { validateAlwaysRunning, validateSelected } from "../../pod-spec/owner.ts";
import { applyTemplateDefaults } from "../../pod-spec/template.ts";
import { nameWarnings, templateWarnings } from "../../pod-spec/warnings.ts";
import { containerCells } from "../../table/containers.ts";

type ReplicationController = Kind<V1ReplicationController>;

function validate({ spec }: ReplicationController): FieldError[] {
  if (!spec) return [];
  const selector = spec.selector ?? {};
  return [
    ...nonNegative(spec.minReadySeconds, "spec.minReadySeconds"),
    ...(Object.keys(selector).length === 0
      ? [fieldError.required("spec.selector")]
      : labels(selector, "spec.selector")),
    ...nonNegative(spec.replicas, "spec.replicas"),
    ...(spec.template
      ? [
          ...validateSelected({ matchLabels: selector }, spec.template),
          ...validateAlwaysRunning(spec.template, "ReplicationController"),
        ]
      : [fieldError.required("spec.template")]),
  ];
}

export const replicationControllers = defineKind<ReplicationController>({
  group: "",
  resource: "replicationcontrollers",
  applyDefaults({ spec, metadata }) {
    if (!spec) return;
    applyTemplateDefaults(spec);
    spec.replicas ??= 1;
    const given = spec.template?.metadata?.labels;
    if (!given) return;
    if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...given };
    if (Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...given };
  },
  prepareForCreate: startWith({ replicas: 0 }),
  prepareForUpdate: nextGeneration,
  prepareForStatusUpdate: keepSpec,
  validate,
  warnings: (controller, old) => [
    ...nameWarnings(controller.metadata.name, !old),
    ...templateWarnings(controller.spec?.template, "spec.template"),
  ],
  selectableFields: { "status.replicas": (controller) => String(controller.status?.replicas ?? 0) },
  defaultPropagation: "Orphan",
  cells: ({ metadata, spec, status }, now) => [
    metadata.name,
    spec?.replicas ?? 0,
    status?.replicas ?? 0,
    status?.readyReplicas ?? 0,
    ageSince(metadata.creationTimestamp, now),
    ...containerCells(spec?.template),
    formatLabels(spec?.selector),
  ],
});
