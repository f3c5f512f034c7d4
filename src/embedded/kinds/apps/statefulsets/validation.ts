import type { V1StatefulSet, V1StatefulSetSpec } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import { dns1123LabelErrors } from "../../../api/names.ts";
import { equal, type Wire } from "../../../api/object.ts";
import type { Kind } from "../../define.ts";
import { named } from "../../fields/names.ts";
import { atMost100Percent, intOrPercentValue, nonNegative, nonNegativeIntOrPercent } from "../../fields/numbers.ts";
import { validateNeverEnding, validateRequiredSelector, validateSelected } from "../../pod-spec/owner.ts";
import { validatePodTemplate } from "../../pod-spec/spec.ts";

type StatefulSet = Kind<V1StatefulSet>;
type Spec = Wire<V1StatefulSetSpec>;

const mutable = [
  "replicas",
  "template",
  "updateStrategy",
  "minReadySeconds",
  "ordinals",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
] as const;

export function validate({ spec, metadata }: StatefulSet): FieldError[] {
  if (!spec) return [];
  const policy = spec.podManagementPolicy ?? "";
  const isNew = metadata.resourceVersion === undefined;
  return [
    ...(policy === "OrderedReady" || policy === "Parallel"
      ? []
      : [fieldError.invalid("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'")]),
    ...validateUpdateStrategy(spec),
    ...nonNegative(spec.replicas, "spec.replicas"),
    ...nonNegative(spec.minReadySeconds, "spec.minReadySeconds"),
    ...nonNegative(spec.ordinals?.start, "spec.ordinals.start"),
    ...(isNew && spec.serviceName ? named(spec.serviceName, "spec.serviceName", dns1123LabelErrors) : []),
    ...validateRequiredSelector(spec.selector, "statefulset"),
    ...validateSelected(spec.selector, spec.template),
    ...validatePodTemplate(withClaimVolumes(spec), "spec.template"),
    ...validateNeverEnding(spec.template, "StatefulSet"),
  ];
}

/** Containers may mount what the claim templates will provide. */
function withClaimVolumes(spec: Spec): Spec["template"] {
  const claims = (spec.volumeClaimTemplates ?? []).map((claim) => claim.metadata?.name ?? "");
  if (claims.length === 0 || !spec.template?.spec) return spec.template;
  const own = (spec.template.spec.volumes ?? []).filter((volume) => !claims.includes(volume.name));
  const provided = claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return { ...spec.template, spec: { ...spec.template.spec, volumes: [...provided, ...own] } };
}

function validateUpdateStrategy(spec: Spec): FieldError[] {
  const strategy = spec.updateStrategy ?? {};
  const rolling = strategy.rollingUpdate;
  const at = "spec.updateStrategy";
  const internal = rolling && {
    Partition: rolling.partition ?? 0,
    MaxUnavailable: rolling.maxUnavailable ?? null,
  };
  if (strategy.type === "OnDelete") {
    return rolling
      ? [fieldError.invalid(`${at}.rollingUpdate`, internal, "only allowed for updateStrategy 'RollingUpdate'")]
      : [];
  }
  if (strategy.type !== "RollingUpdate") {
    return [
      fieldError.invalid(
        at,
        { Type: strategy.type ?? "", RollingUpdate: internal ?? null },
        "must be 'RollingUpdate' or 'OnDelete'",
      ),
    ];
  }
  const max = rolling?.maxUnavailable;
  return [
    ...nonNegative(rolling?.partition, `${at}.rollingUpdate.partition`),
    ...(max === undefined
      ? []
      : [
          ...nonNegativeIntOrPercent(max, `${at}.rollingUpdate.maxUnavailable`),
          ...(intOrPercentValue(max) === 0
            ? [fieldError.invalid(`${at}.rollingUpdate.maxUnavailable`, max, "cannot be 0")]
            : []),
          ...atMost100Percent(max, `${at}.rollingUpdate.maxUnavailable`),
        ]),
  ];
}

export function validateUpdate(statefulSet: StatefulSet, old: StatefulSet): FieldError[] {
  const rest = (spec: Spec | undefined) => {
    const copy: Record<string, unknown> = { ...spec };
    for (const field of mutable) delete copy[field];
    return copy;
  };
  return equal(rest(statefulSet.spec), rest(old.spec))
    ? []
    : [
        fieldError.forbidden(
          "spec",
          "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
        ),
      ];
}
