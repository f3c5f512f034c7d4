import type { V1AggregationRule } from "@kubernetes/client-node";
import type { KubeObject, Wire } from "../../api/object.ts";
import type { Target } from "../../registry/api.ts";
import type { Registry } from "../../registry/registry.ts";
import type { PolicyRule } from "../authorization.ts";
import { uncovered } from "../rbac/policy-rule.ts";
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from "../rbac/rbac-authorizer.ts";
import { componentRoles } from "./component-roles.ts";
import { controllerRoles } from "./controller-roles.ts";
import { namespaceRoles } from "./namespace-roles.ts";
import { rulesFrom } from "./rule-text.ts";
import { aggregatedRoles, aggregatesTo, userRoles } from "./user-roles.ts";

const apiGroup = "rbac.authorization.k8s.io";
const context = () => ({
  user: { username: "system:apiserver", groups: ["system:masters"] },
  fieldManager: "kube-apiserver",
  warnings: [],
});

const everybody = ["Group system:authenticated", "Group system:unauthenticated"];
const bound: Record<string, string[]> = {
  "cluster-admin": ["Group system:masters"],
  "system:basic-user": ["Group system:authenticated"],
  "system:discovery": ["Group system:authenticated"],
  "system:public-info-viewer": everybody,
  "system:monitoring": ["Group system:monitoring"],
  "system:service-account-issuer-discovery": ["Group system:serviceaccounts"],
  "system:kube-controller-manager": ["User system:kube-controller-manager"],
  "system:kube-dns": ["ServiceAccount kube-dns"],
  "system:kube-scheduler": ["User system:kube-scheduler"],
  "system:node": [],
  "system:node-proxier": ["User system:kube-proxy"],
  "system:volume-scheduler": ["User system:kube-scheduler"],
};

/**
 * Creates the roles and bindings that every cluster has, and gives back to its own roles what somebody has taken from
 * them, as each start of an API server does
 * (https://kubernetes.io/docs/reference/access-authn-authz/rbac/#auto-reconciliation). What has the annotation
 * `rbac.authorization.kubernetes.io/autoupdate: "false"` stays as it is.
 */
export function createBootstrapPolicy(api: Registry): void {
  for (const name of aggregatedRoles) {
    const label = `${apiGroup}/aggregate-to-${name}`;
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { [label]: "true" } }] };
    ensureRole(api, { ...clusterRoles, name }, undefined, aggregationRule);
  }
  for (const [name, rules] of Object.entries({ ...userRoles, ...componentRoles })) {
    ensureRole(api, { ...clusterRoles, name }, rulesFrom(rules));
  }
  for (const [name, subjects] of Object.entries(bound))
    ensureBinding(api, { ...clusterRoleBindings, name }, name, subjects);
  for (const [controller, rules] of Object.entries(controllerRoles)) {
    const name = `system:controller:${controller}`;
    ensureRole(api, { ...clusterRoles, name }, rulesFrom(rules));
    ensureBinding(api, { ...clusterRoleBindings, name }, name, [`ServiceAccount ${controller}`]);
  }
  for (const { namespace, name, rules, binding = name, subjects } of namespaceRoles) {
    ensureRole(api, { ...roles, namespace, name }, rulesFrom(rules));
    ensureBinding(api, { ...roleBindings, namespace, name: binding }, name, subjects);
  }
}

function ensureRole(
  api: Registry,
  target: Target & { name: string },
  rules: PolicyRule[] | undefined,
  aggregationRule?: Wire<V1AggregationRule>,
): void {
  const existing = api.core.store.get(target, target.namespace ?? "", target.name);
  if (existing === undefined) {
    const { name, ...collection } = target;
    api.create(collection, { metadata: metadata(name), rules, aggregationRule }, context());
    return;
  }
  if (rules === undefined || !isOurs(existing)) return;
  const current = (existing["rules"] ?? []) as PolicyRule[];
  const missing = uncovered(current, rules);
  if (missing.length > 0) api.update(target, { ...existing, rules: [...current, ...missing] }, context());
}

function ensureBinding(api: Registry, target: Target & { name: string }, role: string, who: string[]): void {
  const existing = api.core.store.get(target, target.namespace ?? "", target.name);
  const subjects = who.map(subject);
  const kind = target.namespace === undefined ? "ClusterRole" : "Role";
  const roleRef = { apiGroup, kind, name: role };
  if (existing === undefined) {
    const { name, ...collection } = target;
    api.create(
      collection,
      { metadata: metadata(name), roleRef, ...(subjects.length > 0 ? { subjects } : {}) },
      context(),
    );
    return;
  }
  if (!isOurs(existing)) return;
  const current = (existing["subjects"] ?? []) as Record<string, string>[];
  const missing = subjects.filter((s) => !current.some((c) => c["kind"] === s["kind"] && c["name"] === s["name"]));
  if (missing.length > 0) api.update(target, { ...existing, subjects: [...current, ...missing] }, context());
}

function isOurs({ metadata: { annotations } }: KubeObject): boolean {
  return annotations?.["rbac.authorization.kubernetes.io/autoupdate"] === "true";
}

function subject(text: string): Record<string, string> {
  const [kind = "", name = ""] = text.split(" ");
  return kind === "ServiceAccount" ? { kind, name, namespace: "kube-system" } : { kind, name, apiGroup };
}

function metadata(name: string) {
  const aggregate = aggregatesTo[name];
  return {
    name,
    annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
    labels: {
      "kubernetes.io/bootstrapping": "rbac-defaults",
      ...(aggregate === undefined ? {} : { [`${apiGroup}/aggregate-to-${aggregate}`]: "true" }),
    },
  };
}
