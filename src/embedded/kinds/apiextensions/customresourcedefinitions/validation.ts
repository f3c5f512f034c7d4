import type { V1CustomResourceDefinition } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import { dns1035LabelErrors, dns1123SubdomainErrors } from "../../../api/names.ts";
import type { Kind } from "../../define.ts";
import { immutable } from "../../fields/names.ts";

type CustomResourceDefinition = Kind<V1CustomResourceDefinition>;

export function validate(definition: CustomResourceDefinition): FieldError[] {
  const { metadata, spec } = definition;
  const { group = "", names, scope, versions = [] } = spec;
  const errors: FieldError[] = [];
  if (metadata.name !== `${names?.plural ?? ""}.${group}`) {
    errors.push(fieldError.invalid("metadata.name", metadata.name, 'must be spec.names.plural+"."+spec.group'));
  }
  errors.push(...validateGroup(group));
  if (!scope) errors.push(fieldError.required("spec.scope"));
  else if (scope !== "Cluster" && scope !== "Namespaced") {
    errors.push(fieldError.notSupported("spec.scope", scope, ["Cluster", "Namespaced"]));
  }
  if (new Set(versions.map((v) => v.name)).size < versions.length) {
    errors.push(fieldError.invalid("spec.versions", versions, "must contain unique version names"));
  }
  if (versions.filter((v) => v.storage).length !== 1) {
    errors.push(
      fieldError.invalid("spec.versions", versions, "must have exactly one version marked as storage version"),
    );
  }
  for (const [i, version] of versions.entries()) {
    const at = `spec.versions[${i}]`;
    const wrong = dns1035LabelErrors(version.name);
    if (wrong.length > 0) errors.push(fieldError.invalid(`${at}.name`, version.name, wrong.join(",")));
    const schema = version.schema?.openAPIV3Schema;
    if (!schema) errors.push(fieldError.required(`${at}.schema.openAPIV3Schema`, "schemas are required"));
    else if (!schema.type) {
      errors.push(fieldError.required(`${at}.schema.openAPIV3Schema.type`, "must not be empty at the root"));
    } else if (schema.type !== "object") {
      errors.push(fieldError.invalid(`${at}.schema.openAPIV3Schema.type`, schema.type, "must be object at the root"));
    }
  }
  return [...errors, ...validateNames(definition)];
}

function validateGroup(group: string): FieldError[] {
  if (group === "") return [fieldError.required("spec.group")];
  const wrong = dns1123SubdomainErrors(group);
  if (wrong.length > 0) return [fieldError.invalid("spec.group", group, wrong.join(","))];
  return group.includes(".")
    ? []
    : [fieldError.invalid("spec.group", group, "should be a domain with at least one dot")];
}

function validateNames({ spec }: CustomResourceDefinition): FieldError[] {
  const names = spec.names ?? { plural: "", kind: "" };
  const errors = (["plural", "singular", "kind", "listKind"] as const).flatMap((field) => {
    const value = names[field] ?? "";
    const at = `spec.names.${field}`;
    if (value === "") return field === "plural" || field === "kind" ? [fieldError.required(at)] : [];
    const wrong = dns1035LabelErrors(value.toLowerCase());
    return wrong.length > 0
      ? [fieldError.invalid(at, value, `may have mixed case, but should otherwise match: ${wrong.join(",")}`)]
      : [];
  });
  if (names.kind && names.kind === names.listKind) {
    errors.push(fieldError.invalid("spec.names.listKind", names.listKind, "kind and listKind may not be the same"));
  }
  return errors;
}

/** Once its resources are served, group, scope, kind and plural stay. */
export function validateUpdate(definition: CustomResourceDefinition, old: CustomResourceDefinition): FieldError[] {
  const established = old.status?.conditions?.some((c) => c.type === "Established" && c.status === "True");
  return [
    ...immutable(definition.spec.group, old.spec.group, "spec.group"),
    ...immutable(definition.spec.names?.plural, old.spec.names?.plural, "spec.names.plural"),
    ...(established
      ? [
          ...immutable(definition.spec.scope, old.spec.scope, "spec.scope"),
          ...immutable(definition.spec.names?.kind, old.spec.names?.kind, "spec.names.kind"),
        ]
      : []),
  ];
}
