import type { V1ResourceQuota } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import { equal } from "../../../api/object.ts";
import { defineKind, type Kind } from "../../define.ts";
import { keep } from "../../fields/generation.ts";
import { sortedEntries } from "../../fields/labels.ts";
import { isHugePages, validateResourceName, validateResourceQuantity } from "../../pod-spec/resources.ts";

type ResourceQuota = Kind<V1ResourceQuota>;

const scopes = [
  "BestEffort",
  "CrossNamespacePodAffinity",
  "NotBestEffort",
  "NotTerminating",
  "PriorityClass",
  "Terminating",
  "VolumeAttributesClass",
];

function validate({ spec }: ResourceQuota): FieldError[] {
  const errors = sortedEntries(spec?.hard).flatMap(([name, text]) => {
    const at = `spec.hard[${name}]`;
    return [...validateQuotaName(name, at), ...validateResourceQuantity(name, text, at)];
  });
  for (const scope of spec?.scopes ?? []) {
    if (!scopes.includes(scope)) errors.push(fieldError.invalid("spec.scopes", spec?.scopes, "unsupported scope"));
  }
  return errors;
}

function validateQuotaName(name: string, at: string): FieldError[] {
  if (isHugePages(name) || /^(requests|limits)\.hugepages-/.test(name)) return [];
  return validateResourceName(name, at);
}

/** `pods: 1/10, requests.cpu: 100m/1`: what is used of what is allowed, limits apart from the rest. */
function usage({ status }: ResourceQuota, ofLimits: boolean): string {
  return sortedEntries(status?.hard)
    .filter(([name]) => name.startsWith("limits.") === ofLimits)
    .map(([name, hard]) => `${name}: ${status?.used?.[name] ?? "0"}/${hard}`)
    .join(", ");
}

export const resourceQuotas = defineKind<ResourceQuota>({
  group: "",
  resource: "resourcequotas",
  prepareForCreate(quota) {
    quota.status = {};
  },
  prepareForUpdate: (quota, old) => keep(quota, old, "status"),
  prepareForStatusUpdate: (quota, old) => keep(quota, old, "spec"),
  validate,
  validateUpdate: (quota, old) =>
    equal([...(quota.spec?.scopes ?? [])].sort(), [...(old.spec?.scopes ?? [])].sort())
      ? []
      : [fieldError.invalid("spec.scopes", quota.spec?.scopes ?? null, "field is immutable")],
  cells: (quota, now) => [
    quota.metadata.name,
    usage(quota, false),
    usage(quota, true),
    ageSince(quota.metadata.creationTimestamp, now),
  ],
});
