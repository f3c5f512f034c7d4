import type { V1Container, V1Pod } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import { rangeMessage } from "../../../api/names.ts";
import { copy, equal, type Wire } from "../../../api/object.ts";
import type { Kind } from "../../define.ts";
import { validateImageBlanks } from "../../pod-spec/containers.ts";
import { validatePodSpec } from "../../pod-spec/spec.ts";
import { validateOnlyAddedTolerations } from "../../pod-spec/tolerations.ts";
import { podSpecDiff } from "./spec-diff.ts";

type Pod = Kind<V1Pod>;
type PodSpec = NonNullable<Pod["spec"]>;

const updatable = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
].join(",");

/** A Pod as such, whether new or changed. */
export function validate(pod: Pod): FieldError[] {
  const spec = pod.spec ?? { containers: [] };
  const errors = validatePodSpec(spec, "spec", true);
  for (const field of ["containers", "initContainers"] as const) {
    for (const [i, container] of (spec[field] ?? []).entries()) {
      errors.push(...validateImageBlanks(container, `spec.${field}[${i}]`));
    }
  }
  const isNew = pod.metadata.resourceVersion === undefined;
  if (isNew && (spec.ephemeralContainers ?? []).length > 0) {
    errors.push(fieldError.forbidden("spec.ephemeralContainers", "cannot be set on create"));
  }
  if (isNew && spec.nodeName && (spec.schedulingGates ?? []).length > 0) {
    errors.push(fieldError.forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared"));
  }
  return errors;
}

/** Little of a Pod may change once it exists (https://kubernetes.io/docs/concepts/workloads/pods/#pod-update-and-replacement). */
export function validateUpdate(pod: Pod, old: Pod): FieldError[] {
  const spec = pod.spec ?? { containers: [] };
  const was = old.spec ?? { containers: [] };
  const errors: FieldError[] = [];
  for (const field of ["containers", "initContainers"] as const) {
    const containers = spec[field] ?? [];
    if (containers.length !== (was[field] ?? []).length) {
      errors.push(fieldError.forbidden(`spec.${field}`, "pod updates may not add or remove containers"));
      return errors;
    }
    for (const [i, container] of containers.entries()) {
      const at = `spec.${field}[${i}]`;
      if (!container.image) errors.push(fieldError.required(`${at}.image`));
      errors.push(...validateImageBlanks(container, at));
    }
  }
  const deadline = validateDeadlineUpdate(spec.activeDeadlineSeconds, was.activeDeadlineSeconds);
  errors.push(...deadline.errors);
  if (deadline.stop) return errors;
  errors.push(...validateOnlyAddedTolerations(spec.tolerations, was.tolerations, "spec.tolerations"));
  errors.push(...validateOnlyDeletedGates(spec, was));
  errors.push(...validateRestUnchanged(spec, was));
  return errors;
}

function validateDeadlineUpdate(
  seconds: number | undefined,
  was: number | undefined,
): { errors: FieldError[]; stop: boolean } {
  const at = "spec.activeDeadlineSeconds";
  const most = 2 ** 31 - 1;
  if (seconds === undefined) {
    return was === undefined
      ? { errors: [], stop: false }
      : {
          errors: [fieldError.invalid(at, null, "must not update from a positive integer to nil value")],
          stop: false,
        };
  }
  if (seconds < 0 || seconds > most) {
    return { errors: [fieldError.invalid(at, seconds, rangeMessage(0, most))], stop: true };
  }
  return was !== undefined && was < seconds
    ? { errors: [fieldError.invalid(at, seconds, "must be less than or equal to previous value")], stop: true }
    : { errors: [], stop: false };
}

function validateOnlyDeletedGates(spec: PodSpec, was: PodSpec): FieldError[] {
  const before = new Set((was.schedulingGates ?? []).map((g) => g.name));
  return (spec.schedulingGates ?? []).flatMap((gate, i) =>
    before.has(gate.name)
      ? []
      : [
          fieldError.forbidden(
            `spec.schedulingGates[${i}]`,
            `only deletion is allowed, but found new scheduling gate '${gate.name}'`,
          ),
        ],
  );
}

function validateRestUnchanged(spec: PodSpec, was: PodSpec): FieldError[] {
  const munged = copy(spec);
  const oldImages = (containers: Wire<V1Container>[] | undefined, field: "containers" | "initContainers") => {
    for (const [i, container] of (containers ?? []).entries()) container.image = was[field]?.[i]?.image;
  };
  oldImages(munged.containers, "containers");
  oldImages(munged.initContainers, "initContainers");
  munged.activeDeadlineSeconds = was.activeDeadlineSeconds;
  munged.schedulingGates = was.schedulingGates;
  munged.tolerations = was.tolerations;
  if ((was.terminationGracePeriodSeconds ?? 0) < 0 && munged.terminationGracePeriodSeconds === 1) {
    munged.terminationGracePeriodSeconds = was.terminationGracePeriodSeconds;
  }
  if ((was.schedulingGates ?? []).length > 0) {
    // A gated Pod may still be narrowed down to fewer nodes.
    munged.nodeSelector = was.nodeSelector;
    munged.affinity = was.affinity;
  }
  if (equal(munged, was)) return [];
  return [
    fieldError.forbidden(
      "spec",
      `pod updates may not change fields other than ${updatable}\n${podSpecDiff(was, munged)}`,
    ),
  ];
}
