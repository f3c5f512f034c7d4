import type {
  RbacV1Subject,
  V1ClusterRole,
  V1ClusterRoleBinding,
  V1Role,
  V1RoleBinding,
  V1RoleRef,
} from "@kubernetes/client-node";
import type { KubeObject, Wire } from "../../api/object.ts";
import type { UserInfo } from "../../registry/api.ts";
import type { Store } from "../../store/store.ts";
import { type AccessRequest, type Authorizer, type Decision, type PolicyRule, superusers } from "../authorization.ts";
import { ruleAllows } from "./policy-rule.ts";

const group = "rbac.authorization.k8s.io";
const bySubject = "rbac subject";
const serviceAccountPrefix = "system:serviceaccount:";

export const clusterRoles = { group, resource: "clusterroles" };
export const roles = { group, resource: "roles" };
export const clusterRoleBindings = { group, resource: "clusterrolebindings" };
export const roleBindings = { group, resource: "rolebindings" };

export type Binding = KubeObject & (Wire<V1ClusterRoleBinding> | Wire<V1RoleBinding>);

/**
 * Role-based access control over the roles and bindings in the store, found through indexes by their subjects, so that
 * a decision looks at the bindings of the asking user only.
 */
export class RbacAuthorizer implements Authorizer {
  constructor(private readonly store: Store) {
    store.addIndex(clusterRoleBindings, bySubject, subjectKeys);
    store.addIndex(roleBindings, bySubject, (binding) =>
      subjectKeys(binding).map((key) => `${binding.metadata.namespace}|${key}`),
    );
  }

  authorize(request: AccessRequest): Decision {
    if (request.user.groups.includes(superusers)) return { allowed: true, reason: "" };
    const missing: string[] = [];
    for (const [binding, key] of this.bindings(request.user, request.resource?.namespace ?? "")) {
      const rules = this.rulesOf(binding.roleRef, binding.metadata.namespace);
      if (rules === undefined) missing.push(notFound(binding.roleRef));
      else if (rules.some((rule) => ruleAllows(rule, request))) return { allowed: true, reason: why(binding, key) };
    }
    return { allowed: false, reason: missing.length === 0 ? "" : `RBAC: ${errorList(missing)}` };
  }

  rulesFor(user: UserInfo, namespace: string): { rules: PolicyRule[]; errors: string[] } {
    const rules: PolicyRule[] = [];
    const errors: string[] = [];
    if (user.groups.includes(superusers)) rules.push(...everything());
    for (const [binding] of this.bindings(user, namespace)) {
      const granted = this.rulesOf(binding.roleRef, binding.metadata.namespace);
      if (granted === undefined) errors.push(notFound(binding.roleRef));
      else rules.push(...granted);
    }
    return { rules, errors };
  }

  /** The rules of a role; undefined when it is not there. */
  rulesOf(ref: Wire<V1RoleRef>, namespace: string | undefined): PolicyRule[] | undefined {
    const role =
      ref.kind === "ClusterRole"
        ? this.store.get(clusterRoles, "", ref.name)
        : this.store.get(roles, namespace ?? "", ref.name);
    return role && (((role as KubeObject & Wire<V1ClusterRole | V1Role>).rules ?? []) as PolicyRule[]);
  }

  /** The bindings of a user, those of the whole cluster first, each with the subject it was found by. */
  private *bindings(user: UserInfo, namespace: string): Generator<[Binding, string]> {
    const keys = userKeys(user);
    const seen = new Set<KubeObject>();
    for (const key of keys) {
      for (const binding of this.store.byIndex(clusterRoleBindings, bySubject, key)) {
        if (seen.has(binding)) continue;
        seen.add(binding);
        yield [binding as Binding, key];
      }
    }
    if (namespace === "") return;
    for (const key of keys) {
      for (const binding of this.store.byIndex(roleBindings, bySubject, `${namespace}|${key}`)) {
        if (seen.has(binding)) continue;
        seen.add(binding);
        yield [binding as Binding, key];
      }
    }
  }
}

/** What members of system:masters have. */
function everything(): PolicyRule[] {
  return [
    { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
    { verbs: ["*"], nonResourceURLs: ["*"] },
  ];
}

function subjectKeys(binding: KubeObject): string[] {
  const { subjects, metadata } = binding as Binding;
  return (subjects ?? []).map((subject: Wire<RbacV1Subject>) =>
    subject.kind === "ServiceAccount"
      ? `ServiceAccount ${subject.namespace || metadata.namespace}/${subject.name}`
      : `${subject.kind} ${subject.name}`,
  );
}

function userKeys({ username, groups }: UserInfo): string[] {
  const keys = [`User ${username}`];
  if (username.startsWith(serviceAccountPrefix)) {
    keys.push(`ServiceAccount ${username.slice(serviceAccountPrefix.length).replace(":", "/")}`);
  }
  for (const one of groups) keys.push(`Group ${one}`);
  return keys;
}

function why({ kind, metadata, roleRef }: Binding, key: string): string {
  const { namespace, name } = metadata;
  const binding = JSON.stringify(namespace ? `${name}/${namespace}` : name);
  const role = `of ${roleRef.kind} ${JSON.stringify(roleRef.name)}`;
  return `RBAC: allowed by ${kind} ${binding} ${role} to ${subjectText(key)}`;
}

function subjectText(key: string): string {
  const space = key.indexOf(" ");
  const [kind, name] = [key.slice(0, space), key.slice(space + 1)];
  if (kind !== "ServiceAccount") return `${kind} ${JSON.stringify(name)}`;
  const [namespace, account] = name.split("/");
  return `ServiceAccount ${JSON.stringify(`${account}/${namespace}`)}`;
}

function notFound(ref: Wire<V1RoleRef>): string {
  const resource = ref.kind === "ClusterRole" ? "clusterrole" : "role";
  return `${resource}.${group} ${JSON.stringify(ref.name)} not found`;
}

/** Several errors as Kubernetes lists them. */
export function errorList(errors: readonly string[]): string {
  return errors.length === 1 ? errors[0]! : `[${[...new Set(errors)].join(", ")}]`;
}
