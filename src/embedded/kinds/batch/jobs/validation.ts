import type { V1Job, V1JobSpec } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import { equal, type Wire } from "../../../api/object.ts";
import type { Kind } from "../../define.ts";
import { labelSelector } from "../../fields/labels.ts";
import { immutable } from "../../fields/names.ts";
import { nonNegative } from "../../fields/numbers.ts";
import { internalPodSpec } from "../../pod-spec/internal-form.ts";
import { validateSelected } from "../../pod-spec/owner.ts";
import { validatePodTemplate } from "../../pod-spec/spec.ts";

type Job = Kind<V1Job>;
type JobSpec = Wire<V1JobSpec>;

const counts = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
] as const;

export function validate({ spec, metadata }: Job): FieldError[] {
  if (!spec) return [];
  const errors = validateGeneratedLabels(spec, metadata.uid ?? "");
  errors.push(...validateJobSpec(spec, "spec"));
  if (!spec.selector) errors.push(fieldError.required("spec.selector"));
  else errors.push(...labelSelector(spec.selector, "spec.selector"));
  errors.push(...validateSelected(spec.selector, spec.template));
  return errors;
}

/** Only with manualSelector may a client choose how a Job finds its Pods. */
function validateGeneratedLabels(spec: JobSpec, uid: string): FieldError[] {
  if (spec.manualSelector || uid === "") return [];
  const matched = spec.selector?.matchLabels?.["batch.kubernetes.io/controller-uid"];
  const own = Object.keys(spec.selector?.matchLabels ?? {}).length;
  return own > 1 || (matched !== undefined && matched !== uid)
    ? [fieldError.invalid("spec.selector", spec.selector, "`selector` not auto-generated")]
    : [];
}

/** The spec of a Job or of a CronJob's template. */
export function validateJobSpec(spec: JobSpec, path: string): FieldError[] {
  const errors = counts.flatMap((field) => nonNegative(spec[field], `${path}.${field}`));
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    errors.push(fieldError.required(`${path}.backoffLimitPerIndex`, "when maxFailedIndexes is specified"));
  }
  errors.push(...validateCompletionMode(spec, path));
  errors.push(...validatePodTemplate(spec.template, `${path}.template`));
  const at = `${path}.template.spec.restartPolicy`;
  const policy = spec.template?.spec?.restartPolicy;
  if (!policy || policy === "Always") {
    errors.push(fieldError.required(at, 'valid values: "OnFailure", "Never"'));
  } else if (policy !== "OnFailure" && policy !== "Never") {
    errors.push(fieldError.notSupported(at, policy, ["OnFailure", "Never"]));
  } else if (spec.podFailurePolicy && policy !== "Never") {
    errors.push(fieldError.invalid(at, policy, 'only "Never" is supported when podFailurePolicy is specified'));
  }
  return errors;
}

function validateCompletionMode(spec: JobSpec, path: string): FieldError[] {
  const mode = spec.completionMode ?? "NonIndexed";
  const errors: FieldError[] = [];
  if (mode !== "NonIndexed" && mode !== "Indexed") {
    errors.push(fieldError.notSupported(`${path}.completionMode`, mode, ["NonIndexed", "Indexed"]));
  }
  if (mode === "Indexed") {
    if (spec.completions === undefined) {
      errors.push(fieldError.required(`${path}.completions`, "when completion mode is Indexed"));
    } else if (spec.maxFailedIndexes !== undefined && spec.maxFailedIndexes > spec.completions) {
      errors.push(
        fieldError.invalid(
          `${path}.maxFailedIndexes`,
          spec.maxFailedIndexes,
          "must be less than or equal to completions",
        ),
      );
    }
    if ((spec.parallelism ?? 0) > 100_000) {
      errors.push(
        fieldError.invalid(
          `${path}.parallelism`,
          spec.parallelism,
          "must be less than or equal to 100000 when completion mode is Indexed",
        ),
      );
    }
  }
  if (mode === "NonIndexed") {
    for (const field of ["backoffLimitPerIndex", "maxFailedIndexes"] as const) {
      if (spec[field] !== undefined) {
        errors.push(fieldError.invalid(`${path}.${field}`, spec[field], "requires indexed completion mode"));
      }
    }
  }
  return errors;
}

/** Of a Job that runs, little but its parallelism, deadline and suspension may change. */
export function validateUpdate(job: Job, old: Job): FieldError[] {
  const spec = job.spec;
  const was = old.spec;
  if (!spec || !was) return [];
  return [
    ...validateCompletions(spec, was),
    ...immutable(spec.selector, was.selector, "spec.selector"),
    ...validateTemplate(spec, old),
    ...(["completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy"] as const).flatMap(
      (field) => immutable(spec[field], was[field], `spec.${field}`),
    ),
  ];
}

/** An indexed Job is elastic: completions may follow parallelism. */
function validateCompletions(spec: JobSpec, was: JobSpec): FieldError[] {
  if (spec.completionMode !== "Indexed" || spec.completions === was.completions) {
    return immutable(spec.completions, was.completions, "spec.completions");
  }
  return spec.completions !== undefined && was.completions !== undefined && spec.completions === spec.parallelism
    ? []
    : [
        fieldError.invalid(
          "spec.completions",
          spec.completions ?? null,
          "can only be modified in tandem with spec.parallelism",
        ),
      ];
}

/** While suspended and never started, a Job's Pods may still be directed to other nodes. */
function validateTemplate(spec: JobSpec, old: Job): FieldError[] {
  const was = old.spec as JobSpec;
  const free = was.suspend === true && !old.status?.startTime;
  const rest = (template: JobSpec["template"]) => {
    if (!free) return template;
    const {
      nodeSelector: _n,
      tolerations: _t,
      schedulingGates: _g,
      affinity,
      ...podSpec
    } = template.spec ?? {
      containers: [],
    };
    const { nodeAffinity: _a, ...otherAffinity } = affinity ?? {};
    return { podSpec, otherAffinity };
  };
  if (equal(rest(spec.template), rest(was.template))) return [];
  const shownTemplate = { ...spec.template.metadata, Spec: internalPodSpec(spec.template.spec ?? {}) };
  return [fieldError.invalid("spec.template", shownTemplate, "field is immutable")];
}
