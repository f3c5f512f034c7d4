import type { V1ClusterRole, V1RoleRef } from "@kubernetes/client-node";
import { apiError } from "../../api/api-error.ts";
import { equal, type KubeObject, type Wire } from "../../api/object.ts";
import type { UserInfo } from "../../registry/api.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../../registry/core.ts";
import { type PolicyRule, superusers } from "../authorization.ts";
import { compact, uncovered } from "./policy-rule.ts";
import { type Binding, clusterRoles, type RbacAuthorizer, roles } from "./rbac-authorizer.ts";

type Role = KubeObject & Wire<V1ClusterRole>;

const group = "rbac.authorization.k8s.io";

/**
 * Nobody gives what he does not have: a role's rules, or the role that a binding grants, must be covered by what its
 * author may do, unless he has the verb `escalate` or `bind`
 * (https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping).
 */
export function escalationCheck(authorizer: RbacAuthorizer): AdmissionPlugin {
  return {
    name: "PrivilegeEscalation",
    validate(request) {
      const { definition, operation, context, object } = request;
      if (definition.info.group !== group || operation === "DELETE" || object === undefined) return;
      if (context.user.groups.includes(superusers)) return;
      if (definition.info.resource.endsWith("bindings")) checkBinding(request, authorizer);
      else checkRole(request, authorizer);
    },
  };
}

function checkRole(request: AdmissionRequest, authorizer: RbacAuthorizer): void {
  const { definition, target, context } = request;
  const role = request.object as Role;
  const old = request.old as Role | undefined;
  if (old !== undefined && equal(old.rules ?? [], role.rules ?? []) && equal(old.aggregationRule, role.aggregationRule))
    return;
  const { user } = context;
  const name = role.metadata.name ?? "";
  const resource = {
    group,
    resource: definition.info.resource,
    subresource: "",
    namespace: target.namespace ?? "",
    name,
  };
  if (authorizer.authorize({ user, verb: "escalate", resource }).allowed) return;
  const aggregates = role.aggregationRule !== undefined || old?.aggregationRule !== undefined;
  const owned = authorizer.rulesFor(user, target.namespace ?? "").rules;
  if (aggregates && uncovered(owned, everything).length > 0) {
    throw apiError.forbidden(definition.info, name, "must have cluster-admin privileges to use the aggregationRule");
  }
  confirm(request, name, user, owned, (role.rules ?? []) as PolicyRule[]);
}

function checkBinding(request: AdmissionRequest, authorizer: RbacAuthorizer): void {
  const { target, context } = request;
  const binding = request.object as Binding;
  const old = request.old as Binding | undefined;
  if (old !== undefined && equal(old.roleRef, binding.roleRef) && equal(old.subjects ?? [], binding.subjects ?? []))
    return;
  const { user } = context;
  const ref = binding.roleRef;
  const namespace = target.namespace ?? "";
  const of = roleOf(ref);
  if (
    authorizer.authorize({ user, verb: "bind", resource: { ...of, subresource: "", namespace, name: ref.name } })
      .allowed
  )
    return;
  const granted = authorizer.rulesOf(ref, namespace);
  if (granted === undefined) throw apiError.notFound(of, ref.name);
  confirm(request, binding.metadata.name ?? "", user, authorizer.rulesFor(user, namespace).rules, granted);
}

function roleOf({ kind }: Wire<V1RoleRef>) {
  return kind === "ClusterRole" ? clusterRoles : roles;
}

const everything: PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

function confirm(
  { definition }: AdmissionRequest,
  name: string,
  user: UserInfo,
  owned: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): void {
  const missing = compact(uncovered(owned, wanted)).map(describe).sort();
  if (missing.length === 0) return;
  const who = `user ${JSON.stringify(user.username)} (groups=${list(user.groups)})`;
  throw apiError.forbidden(
    definition.info,
    name,
    `${who} is attempting to grant RBAC permissions not currently held:\n${missing.join("\n")}`,
  );
}

function describe({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const parts: [string, string[] | undefined][] = [
    ["APIGroups", apiGroups],
    ["Resources", resources],
    ["NonResourceURLs", nonResourceURLs],
    ["ResourceNames", resourceNames],
    ["Verbs", verbs],
  ];
  const shown = parts.filter(([, values]) => values?.length).map(([key, values]) => `${key}:${list(values!)}`);
  return `{${shown.join(", ")}}`;
}

/** As Go writes a list of strings with %q. */
function list(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(" ")}]`;
}
