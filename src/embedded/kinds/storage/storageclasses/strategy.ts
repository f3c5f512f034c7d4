import type { V1StorageClass } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import { qualifiedNameErrors } from "../../../api/names.ts";
import { defineKind, type Kind } from "../../define.ts";
import { immutable, named } from "../../fields/names.ts";

type StorageClass = Kind<V1StorageClass>;

const defaultAnnotations = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

function validate({ provisioner, reclaimPolicy, volumeBindingMode, parameters }: StorageClass): FieldError[] {
  const errors = provisioner
    ? named(provisioner.toLowerCase(), "provisioner", qualifiedNameErrors)
    : [fieldError.required("provisioner")];
  if (parameters && Object.hasOwn(parameters, "")) {
    errors.push(fieldError.invalid("parameters", "", "field can not be empty."));
  }
  if (reclaimPolicy && reclaimPolicy !== "Delete" && reclaimPolicy !== "Retain") {
    errors.push(fieldError.notSupported("reclaimPolicy", reclaimPolicy, ["Delete", "Retain"]));
  }
  const modes = ["Immediate", "WaitForFirstConsumer"];
  if (volumeBindingMode && !modes.includes(volumeBindingMode)) {
    errors.push(fieldError.notSupported("volumeBindingMode", volumeBindingMode, modes));
  }
  return errors;
}

export const storageClasses = defineKind<StorageClass>({
  group: "storage.k8s.io",
  resource: "storageclasses",
  applyDefaults(storageClass) {
    storageClass.reclaimPolicy ??= "Delete";
    storageClass.volumeBindingMode ??= "Immediate";
  },
  validate,
  validateUpdate: (storageClass, old) =>
    (["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"] as const).flatMap((field) =>
      immutable(storageClass[field], old[field], field),
    ),
  cells: ({ metadata, provisioner, reclaimPolicy, volumeBindingMode, allowVolumeExpansion }, now) => [
    defaultAnnotations.some((a) => metadata.annotations?.[a] === "true") ? `${metadata.name} (default)` : metadata.name,
    provisioner,
    reclaimPolicy ?? "Delete",
    volumeBindingMode ?? "Immediate",
    allowVolumeExpansion ?? false,
    ageSince(metadata.creationTimestamp, now),
  ],
});
