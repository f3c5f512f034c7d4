import type {
  RbacV1Subject,
  V1ClusterRole,
  V1ClusterRoleBinding,
  V1Role,
  V1RoleBinding,
} from "@kubernetes/client-node";
import { ageSince } from "../../api/duration.ts";
import type { Wire } from "../../api/object.ts";
import { defineKind, type Kind } from "../define.ts";
import { validateBinding, validateBindingUpdate, validateRules } from "./validation.ts";

type Binding = Kind<V1RoleBinding> | Kind<V1ClusterRoleBinding>;

const group = "rbac.authorization.k8s.io";

/** A role without rules shows that it has none. */
function showRules(role: { rules?: unknown }): void {
  role.rules ??= null;
}

/** SetDefaults_RoleBinding: whom and what without an API group. */
function applyBindingDefaults({ roleRef, subjects }: Binding): void {
  if (roleRef) roleRef.apiGroup ||= group;
  for (const subject of subjects ?? []) {
    if (subject.kind === "User" || subject.kind === "Group") subject.apiGroup ||= group;
  }
}

function bindingCells({ metadata, roleRef, subjects }: Binding, now: number): unknown[] {
  const names = (kind: string, text: (s: Wire<RbacV1Subject>) => string) =>
    (subjects ?? [])
      .filter((s) => s.kind === kind)
      .map(text)
      .join(", ");
  return [
    metadata.name,
    `${roleRef.kind}/${roleRef.name}`,
    ageSince(metadata.creationTimestamp, now),
    names("User", (s) => s.name),
    names("Group", (s) => s.name),
    names("ServiceAccount", (s) => (s.namespace ? `${s.namespace}/${s.name}` : s.name)),
  ];
}

export const roles = defineKind<Kind<V1Role>>({
  group,
  resource: "roles",
  applyDefaults: showRules,
  validate: ({ rules }) => validateRules(rules, true),
  allowCreateOnUpdate: true,
  cells: ({ metadata }) => [metadata.name, metadata.creationTimestamp],
});

export const clusterRoles = defineKind<Kind<V1ClusterRole>>({
  group,
  resource: "clusterroles",
  applyDefaults: showRules,
  validate: ({ rules }) => validateRules(rules, false),
  allowCreateOnUpdate: true,
  cells: ({ metadata }) => [metadata.name, metadata.creationTimestamp],
});

export const roleBindings = defineKind<Kind<V1RoleBinding>>({
  group,
  resource: "rolebindings",
  applyDefaults: applyBindingDefaults,
  validate: (binding) => validateBinding(binding, true),
  validateUpdate: validateBindingUpdate,
  allowCreateOnUpdate: true,
  cells: bindingCells,
});

export const clusterRoleBindings = defineKind<Kind<V1ClusterRoleBinding>>({
  group,
  resource: "clusterrolebindings",
  applyDefaults: applyBindingDefaults,
  validate: (binding) => validateBinding(binding, false),
  validateUpdate: validateBindingUpdate,
  allowCreateOnUpdate: true,
  cells: bindingCells,
});
