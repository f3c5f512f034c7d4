import type { V1PersistentVolumeClaim, V1PersistentVolumeClaimSpec } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import { dns1123SubdomainErrors } from "../../../api/names.ts";
import { copy, equal, type Wire } from "../../../api/object.ts";
import { compareQuantities, parseQuantity } from "../../../api/quantity.ts";
import type { Kind } from "../../define.ts";
import { labelSelector } from "../../fields/labels.ts";
import { named } from "../../fields/names.ts";
import { internalForm } from "../../pod-spec/internal-form.ts";
import { unifiedDiff } from "../../text/unified-diff.ts";
import { accessModes } from "../persistentvolumes/access-modes.ts";

type Claim = Kind<V1PersistentVolumeClaim>;
type Spec = Wire<V1PersistentVolumeClaimSpec>;

export function validate({ spec }: Claim): FieldError[] {
  const path = "spec";
  const modes = spec?.accessModes ?? [];
  const errors: FieldError[] = [];
  if (modes.length === 0) errors.push(fieldError.required(`${path}.accessModes`, "at least 1 access mode is required"));
  errors.push(...labelSelector(spec?.selector, `${path}.selector`));
  for (const mode of modes) {
    if (!accessModes.includes(mode)) errors.push(fieldError.notSupported(`${path}.accessModes`, mode, accessModes));
  }
  if (modes.includes("ReadWriteOncePod") && modes.length > 1) {
    errors.push(fieldError.forbidden(`${path}.accessModes`, "may not use ReadWriteOncePod with other access modes"));
  }
  const storage = spec?.resources?.requests?.["storage"];
  if (storage === undefined) errors.push(fieldError.required(`${path}.resources[storage]`));
  else if (parseQuantity(storage).nano <= 0n) {
    errors.push(fieldError.invalid(`${path}.resources[storage]`, storage, "must be greater than zero"));
  }
  if (spec?.storageClassName) {
    errors.push(...named(spec.storageClassName, `${path}.storageClassName`, dns1123SubdomainErrors));
  }
  if (spec?.volumeMode !== undefined && spec.volumeMode !== "Block" && spec.volumeMode !== "Filesystem") {
    errors.push(fieldError.notSupported(`${path}.volumeMode`, spec.volumeMode, ["Block", "Filesystem"]));
  }
  return errors;
}

/** A bound claim may only grow, or change its attributes class. */
export function validateUpdate(claim: Claim, old: Claim): FieldError[] {
  const spec = claim.spec;
  const was = old.spec;
  if (!spec || !was) return [];
  const munged = copy(spec);
  if (!was.volumeName) munged.volumeName = was.volumeName;
  if (was.storageClassName === undefined) munged.storageClassName = was.storageClassName;
  if (old.status?.phase === "Bound") {
    munged.resources = copy(was.resources);
    munged.volumeAttributesClassName = was.volumeAttributesClassName;
  }
  const errors: FieldError[] = [];
  if (!equal(munged, was)) {
    errors.push(
      fieldError.forbidden(
        "spec",
        `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${unifiedDiff(internalText(was), internalText(munged))}`,
      ),
    );
  }
  const size = spec.resources?.requests?.["storage"];
  const before = was.resources?.requests?.["storage"];
  if (size !== undefined && before !== undefined && compareQuantities(parseQuantity(size), parseQuantity(before)) < 0) {
    errors.push(fieldError.forbidden("spec.resources.requests.storage", "field can not be less than previous value"));
  }
  return errors;
}

function internalText(spec: Spec): string {
  return JSON.stringify(internalForm(spec as Record<string, unknown>, "PersistentVolumeClaimSpec"), null, 1);
}
