import { type FieldError, fieldError } from "../api/field-error.ts";
import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  labelValueErrors,
  type NameCheck,
  pathSegmentErrors,
  qualifiedNameErrors,
} from "../api/names.ts";
import type { KubeObject, ObjectMeta } from "../api/object.ts";
import { type GroupResource, groupResource } from "../api/resource.ts";

/** Names are DNS subdomains except where a kind says otherwise. */
const nameRules: Record<string, NameCheck> = {
  namespaces: dns1123LabelErrors,
  services: dns1035LabelErrors,
  "roles.rbac.authorization.k8s.io": pathSegmentErrors,
  "clusterroles.rbac.authorization.k8s.io": pathSegmentErrors,
  "rolebindings.rbac.authorization.k8s.io": pathSegmentErrors,
  "clusterrolebindings.rbac.authorization.k8s.io": pathSegmentErrors,
};
const annotationBytes = 256 * 1024;

/** Validation of metadata on create and update, in the words of apimachinery's ValidateObjectMeta. */
export function validateObjectMeta(object: KubeObject, gr: GroupResource, namespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const meta = object.metadata;
  const check = nameRules[groupResource(gr)] ?? dns1123SubdomainErrors;
  if (!meta.name) errors.push(fieldError.required("metadata.name", "name or generateName is required"));
  else for (const text of check(meta.name)) errors.push(fieldError.invalid("metadata.name", meta.name, text));
  if (namespaced) {
    if (!meta.namespace) errors.push(fieldError.required("metadata.namespace"));
    else
      for (const text of dns1123LabelErrors(meta.namespace))
        errors.push(fieldError.invalid("metadata.namespace", meta.namespace, text));
  } else if (meta.namespace) errors.push(fieldError.forbidden("metadata.namespace", "not allowed on this type"));
  errors.push(...validateLabels(meta.labels, "metadata.labels"));
  errors.push(...validateAnnotations(meta.annotations));
  errors.push(...validateOwners(meta.ownerReferences));
  for (const finalizer of meta.finalizers ?? []) {
    for (const text of qualifiedNameErrors(finalizer))
      errors.push(fieldError.invalid("metadata.finalizers", finalizer, text));
  }
  return errors;
}

/** What an update may not change. `object` has had the fields it left out filled from `old`. */
export function validateObjectMetaUpdate(object: KubeObject, old: KubeObject): FieldError[] {
  const immutable = [
    "name",
    "namespace",
    "uid",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
  ] as const;
  const changed = immutable
    .filter((name) => (object.metadata[name] ?? "") !== (old.metadata[name] ?? ""))
    .map((name) => fieldError.invalid(`metadata.${name}`, object.metadata[name], "field is immutable"));
  return [...validateNoNewFinalizers(object, old), ...changed];
}

/** What is being deleted can't be held back by somebody new. */
function validateNoNewFinalizers(object: KubeObject, old: KubeObject): FieldError[] {
  if (old.metadata.deletionTimestamp === undefined) return [];
  const before = old.metadata.finalizers ?? [];
  const added = [...new Set(object.metadata.finalizers)].filter((f) => !before.includes(f)).sort();
  if (added.length === 0) return [];
  const list = added.map((f) => JSON.stringify(f)).join(", ");
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
  return [fieldError.forbidden("metadata.finalizers", detail)];
}

export function validateLabels(labels: Record<string, string> | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels ?? {})) {
    for (const text of qualifiedNameErrors(key)) errors.push(fieldError.invalid(field, key, text));
    for (const text of labelValueErrors(value)) errors.push(fieldError.invalid(field, value, text));
  }
  return errors;
}

function validateAnnotations(annotations: Record<string, string> | undefined): FieldError[] {
  const field = "metadata.annotations";
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    for (const text of qualifiedNameErrors(key.toLowerCase())) errors.push(fieldError.invalid(field, key, text));
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > annotationBytes) errors.push(fieldError.tooLong(field, annotationBytes));
  return errors;
}

function validateOwners(owners: ObjectMeta["ownerReferences"]): FieldError[] {
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const [i, owner] of (owners ?? []).entries()) {
    const field = `metadata.ownerReferences[${i}]`;
    if (!owner.apiVersion)
      errors.push(fieldError.invalid(`${field}.apiVersion`, owner.apiVersion ?? "", "version must not be empty"));
    if (!owner.kind) errors.push(fieldError.invalid(`${field}.kind`, owner.kind ?? "", "kind must not be empty"));
    if (!owner.name) errors.push(fieldError.invalid(`${field}.name`, owner.name ?? "", "name must not be empty"));
    if (!owner.uid) errors.push(fieldError.invalid(`${field}.uid`, owner.uid ?? "", "uid must not be empty"));
    if (owner.controller === true) {
      if (controller !== undefined) {
        errors.push(
          fieldError.invalid(
            "metadata.ownerReferences",
            owners,
            `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${owner.kind}/${owner.name}`,
          ),
        );
      }
      controller = `${owner.kind}/${owner.name}`;
    }
  }
  return errors;
}
