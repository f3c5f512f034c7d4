import type { V1PodTemplateSpec } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../api/field-error.ts";
import type { Wire } from "../../api/object.ts";
import { isEmptySelector, type LabelSelector, labelSelector, selectorMatches } from "../fields/labels.ts";
import { validatePodTemplate } from "./spec.ts";

type PodTemplate = Wire<V1PodTemplateSpec>;

/** A controller's selector: required, and not one that selects everything. `of` is the word of the message. */
export function validateRequiredSelector(selector: LabelSelector | undefined, of: string): FieldError[] {
  if (!selector) return [fieldError.required("spec.selector")];
  const errors = labelSelector(selector, "spec.selector");
  if (isEmptySelector(selector)) {
    errors.push(fieldError.invalid("spec.selector", selector, `empty selector is invalid for ${of}`));
  }
  return errors;
}

/** The template's labels must be among what the selector selects. */
export function validateSelected(selector: LabelSelector | undefined, template: PodTemplate | undefined): FieldError[] {
  const given = template?.metadata?.labels;
  if ((selector && isEmptySelector(selector)) || selectorMatches(selector, given) !== false) return [];
  return [
    fieldError.invalid("spec.template.metadata.labels", given ?? null, "`selector` does not match template `labels`"),
  ];
}

/** The template of a controller whose Pods always restart. `of` is the kind's name in the message. */
export function validateAlwaysRunning(template: PodTemplate | undefined, of: string): FieldError[] {
  return [...validatePodTemplate(template, "spec.template"), ...validateNeverEnding(template, of)];
}

/** Pods that a controller keeps up restart always and have no deadline. */
export function validateNeverEnding(template: PodTemplate | undefined, of: string): FieldError[] {
  const spec = template?.spec;
  const errors: FieldError[] = [];
  if (spec?.restartPolicy !== "Always") {
    errors.push(fieldError.notSupported("spec.template.spec.restartPolicy", spec?.restartPolicy ?? "", ["Always"]));
  }
  if (spec?.activeDeadlineSeconds !== undefined) {
    errors.push(
      fieldError.forbidden(
        "spec.template.spec.activeDeadlineSeconds",
        `activeDeadlineSeconds in ${of} is not Supported`,
      ),
    );
  }
  return errors;
}
