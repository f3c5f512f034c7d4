import type { ApiError } from "../api/api-error.ts";
import { apiError } from "../api/api-error.ts";
import type { UserInfo } from "../registry/api.ts";

/** What of the API a request is about; `subresource` as in `pods/log`. Names are "" when there are none. */
export interface ResourceAttributes {
  group: string;
  version?: string;
  resource: string;
  subresource: string;
  namespace: string;
  name: string;
}

/** Who wants to do what, to a resource or to a path that is none. */
export interface AccessRequest {
  user: UserInfo;
  verb: string;
  resource?: ResourceAttributes;
  path?: string;
}

export interface Decision {
  allowed: boolean;
  /** Why, as access reviews tell it; "" when there is nothing to say. */
  reason: string;
}

/** A rule of RBAC, or its sum for a user in a namespace. */
export interface PolicyRule {
  verbs: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

/** Decides whether a user may. https://kubernetes.io/docs/reference/access-authn-authz/authorization/ */
export interface Authorizer {
  authorize(request: AccessRequest): Decision;
  /** All that a user may do in a namespace, and what could not be found out, a sentence each. */
  rulesFor(user: UserInfo, namespace: string): { rules: PolicyRule[]; errors: string[] };
}

/** Who is in this group may everything, whatever the roles say. */
export const superusers = "system:masters";

/** The 403 in the API server's words. */
export function forbidden({ user, verb, resource, path }: AccessRequest, reason = ""): ApiError {
  const because = reason === "" ? "" : `: ${reason}`;
  const who = `User ${JSON.stringify(user.username)} cannot ${verb}`;
  if (resource === undefined) {
    const error = apiError.forbidden({ group: "", resource: "" }, "", `${who} path ${JSON.stringify(path)}${because}`);
    error.status.message = error.message = error.message.trimStart().replace(/^is forbidden/, "forbidden");
    error.status.details = {};
    return error;
  }
  const { group, namespace, name, subresource } = resource;
  const what = subresource === "" ? resource.resource : `${resource.resource}/${subresource}`;
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  return apiError.forbidden(
    resource,
    name,
    `${who} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}${because}`,
  );
}
