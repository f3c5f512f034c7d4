import type { RbacV1Subject, V1PolicyRule, V1RoleRef } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../api/field-error.ts";
import { dns1123SubdomainErrors, pathSegmentErrors } from "../../api/names.ts";
import { equal, type Wire } from "../../api/object.ts";
import { named } from "../fields/names.ts";

type Rule = Wire<V1PolicyRule>;
type Subject = Wire<RbacV1Subject>;

const group = "rbac.authorization.k8s.io";

/** What a Role or a ClusterRole allows. */
export function validateRules(rules: Rule[] | undefined, namespaced: boolean): FieldError[] {
  return (rules ?? []).flatMap((rule, i) => {
    const at = `rules[${i}]`;
    const errors: FieldError[] = [];
    const urls = rule.nonResourceURLs ?? [];
    const groups = rule.apiGroups ?? [];
    const resources = rule.resources ?? [];
    if ((rule.verbs ?? []).length === 0) {
      errors.push(fieldError.required(`${at}.verbs`, "verbs must contain at least one value"));
    }
    if (urls.length > 0) {
      if (namespaced) {
        errors.push(
          fieldError.invalid(`${at}.nonResourceURLs`, urls, "namespaced rules cannot apply to non-resource URLs"),
        );
      }
      if (groups.length + resources.length + (rule.resourceNames ?? []).length > 0) {
        errors.push(
          fieldError.invalid(
            `${at}.nonResourceURLs`,
            urls,
            "rules cannot apply to both regular resources and non-resource URLs",
          ),
        );
      }
      return errors;
    }
    if (groups.length === 0) {
      errors.push(fieldError.required(`${at}.apiGroups`, "resource rules must supply at least one api group"));
    }
    if (resources.length === 0) {
      errors.push(fieldError.required(`${at}.resources`, "resource rules must supply at least one resource"));
    }
    return errors;
  });
}

/** The role that a binding grants, and to whom. */
export function validateBinding(
  binding: { roleRef: Wire<V1RoleRef>; subjects?: Subject[] },
  namespaced: boolean,
): FieldError[] {
  const { roleRef, subjects } = binding;
  const kinds = namespaced ? ["Role", "ClusterRole"] : ["ClusterRole"];
  return [
    ...(roleRef?.apiGroup === group
      ? []
      : [fieldError.notSupported("roleRef.apiGroup", roleRef?.apiGroup ?? "", [group])]),
    ...(kinds.includes(roleRef?.kind) ? [] : [fieldError.notSupported("roleRef.kind", roleRef?.kind ?? "", kinds)]),
    ...(roleRef?.name ? named(roleRef.name, "roleRef.name", pathSegmentErrors) : [fieldError.required("roleRef.name")]),
    ...(subjects ?? []).flatMap((subject, i) => validateSubject(subject, namespaced, `subjects[${i}]`)),
  ];
}

function validateSubject(subject: Subject, namespaced: boolean, at: string): FieldError[] {
  const errors = subject.name ? [] : [fieldError.required(`${at}.name`)];
  const apiGroup = subject.apiGroup ?? "";
  switch (subject.kind) {
    case "ServiceAccount":
      if (subject.name) errors.push(...named(subject.name, `${at}.name`, dns1123SubdomainErrors));
      if (apiGroup !== "") errors.push(fieldError.notSupported(`${at}.apiGroup`, apiGroup, [""]));
      if (!namespaced && !subject.namespace) errors.push(fieldError.required(`${at}.namespace`));
      return errors;
    case "User":
    case "Group":
      if (apiGroup !== group) errors.push(fieldError.notSupported(`${at}.apiGroup`, apiGroup, [group]));
      return errors;
    default:
      return [
        ...errors,
        fieldError.notSupported(`${at}.kind`, subject.kind ?? "", ["ServiceAccount", "User", "Group"]),
      ];
  }
}

/** A binding keeps its role: who may bind is decided by what is granted. */
export function validateBindingUpdate(
  binding: { roleRef: Wire<V1RoleRef> },
  old: { roleRef: Wire<V1RoleRef> },
): FieldError[] {
  const { apiGroup, kind, name } = binding.roleRef ?? {};
  return equal(binding.roleRef, old.roleRef)
    ? []
    : [fieldError.invalid("roleRef", { APIGroup: apiGroup, Kind: kind, Name: name }, "cannot change roleRef")];
}
