import type { V1FlowSchema, V1PriorityLevelConfiguration } from "@kubernetes/client-node";
import { ageSince } from "../../api/duration.ts";
import { type FieldError, fieldError } from "../../api/field-error.ts";
import { defineKind, type Kind } from "../define.ts";
import { keepSpec, nextGeneration, startWith } from "../fields/generation.ts";
import { nameAndAge } from "../table/name-and-age.ts";

const group = "flowcontrol.apiserver.k8s.io";

type FlowSchema = Kind<V1FlowSchema>;

function validateFlowSchema({ spec }: FlowSchema): FieldError[] {
  const precedence = spec?.matchingPrecedence ?? 0;
  return [
    ...(precedence <= 0 ? [fieldError.invalid("spec.matchingPrecedence", precedence, "must be a positive value")] : []),
    ...(precedence > 10_000
      ? [fieldError.invalid("spec.matchingPrecedence", precedence, "must not be greater than 10000")]
      : []),
    ...(spec?.priorityLevelConfiguration?.name
      ? []
      : [fieldError.required("spec.priorityLevelConfiguration.name", "must reference a priority level")]),
  ];
}

export const flowSchemas = defineKind<FlowSchema>({
  group,
  resource: "flowschemas",
  applyDefaults({ spec }) {
    if (spec) spec.matchingPrecedence ||= 1000;
  },
  prepareForCreate: startWith({}),
  prepareForUpdate: nextGeneration,
  prepareForStatusUpdate: keepSpec,
  validate: validateFlowSchema,
  cells: ({ metadata, spec, status }, now) => [
    metadata.name,
    spec?.priorityLevelConfiguration.name ?? "",
    spec?.matchingPrecedence ?? 0,
    spec?.distinguisherMethod?.type ?? "<none>",
    ageSince(metadata.creationTimestamp, now),
    status?.conditions?.find((c) => c.type === "Dangling")?.status ?? "?",
  ],
});

export const priorityLevelConfigurations = defineKind<Kind<V1PriorityLevelConfiguration>>({
  group,
  resource: "prioritylevelconfigurations",
  applyDefaults({ spec }) {
    if (spec?.exempt) {
      spec.exempt.nominalConcurrencyShares ??= 0;
      spec.exempt.lendablePercent ??= 0;
    }
    if (!spec?.limited) return;
    spec.limited.nominalConcurrencyShares ??= 30;
    spec.limited.lendablePercent ??= 0;
    const queuing = spec.limited.limitResponse?.queuing;
    if (!queuing) return;
    queuing.queues ||= 64;
    queuing.handSize ||= 8;
    queuing.queueLengthLimit ||= 50;
  },
  prepareForCreate: startWith({}),
  prepareForUpdate: nextGeneration,
  prepareForStatusUpdate: keepSpec,
  cells: nameAndAge(({ spec }) => {
    const queuing = spec?.limited?.limitResponse?.queuing;
    return [
      spec?.type ?? "",
      spec?.limited?.nominalConcurrencyShares ?? "<none>",
      queuing?.queues ?? "<none>",
      queuing?.handSize ?? "<none>",
      queuing?.queueLengthLimit ?? "<none>",
    ];
  }),
});
