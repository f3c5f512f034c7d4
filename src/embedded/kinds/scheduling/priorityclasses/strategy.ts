import type { V1PriorityClass } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import { defineKind, type Kind } from "../../define.ts";
import { immutable, oneOf } from "../../fields/names.ts";

type PriorityClass = Kind<V1PriorityClass>;

const highestUserDefinable = 1_000_000_000;
const systemClasses: Record<string, number> = {
  "system-node-critical": 2_000_001_000,
  "system-cluster-critical": 2_000_000_000,
};

function validate({ metadata, value, globalDefault, preemptionPolicy }: PriorityClass): FieldError[] {
  const name = metadata.name ?? "";
  const errors: FieldError[] = [];
  if (name.startsWith("system-")) {
    const wrong = systemClassError(name, value ?? 0, globalDefault ?? false);
    if (wrong) {
      errors.push(
        fieldError.forbidden(
          "metadata.name",
          `priority class names with 'system-' prefix are reserved for system use only. error: ${wrong}`,
        ),
      );
    }
  } else if (value > highestUserDefinable) {
    errors.push(
      fieldError.forbidden("value", `maximum allowed value of a user defined priority is ${highestUserDefinable}`),
    );
  }
  if (preemptionPolicy !== undefined) {
    errors.push(...oneOf(preemptionPolicy, "preemptionPolicy", ["PreemptLowerPriority", "Never"]));
  }
  return errors;
}

function systemClassError(name: string, value: number, globalDefault: boolean): string | undefined {
  const known = systemClasses[name];
  if (known === undefined) return `${name} is not a known system priority class`;
  if (known !== value) return `value of ${name} PriorityClass must be ${known}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function validateUpdate(priorityClass: PriorityClass, old: PriorityClass): FieldError[] {
  return [
    ...(priorityClass.value === old.value ? [] : [fieldError.forbidden("value", "may not be changed in an update.")]),
    ...immutable(priorityClass.preemptionPolicy, old.preemptionPolicy, "preemptionPolicy"),
  ];
}

export const priorityClasses = defineKind<PriorityClass>({
  group: "scheduling.k8s.io",
  resource: "priorityclasses",
  applyDefaults(priorityClass) {
    priorityClass.preemptionPolicy ??= "PreemptLowerPriority";
  },
  prepareForCreate(priorityClass) {
    priorityClass.metadata.generation = 1;
  },
  validate,
  validateUpdate,
  cells: ({ metadata, value, globalDefault, preemptionPolicy }, now) => [
    metadata.name,
    value ?? 0,
    globalDefault ?? false,
    ageSince(metadata.creationTimestamp, now),
    preemptionPolicy ?? "",
  ],
});
