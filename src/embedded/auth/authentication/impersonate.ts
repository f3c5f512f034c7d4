import type { IncomingMessage } from "node:http";
import { ApiError } from "../../api/api-error.ts";
import type { UserInfo } from "../../registry/api.ts";
import { type Authorizer, forbidden, type ResourceAttributes } from "../authorization.ts";
import { anonymous, withAuthenticated } from "./authenticate.ts";

const serviceAccount = /^system:serviceaccount:([^:]+):([^:]+)$/;

/**
 * The user that a request asks to be taken for by `Impersonate-…` headers, or `user` when it does not ask. Each part
 * needs the verb `impersonate`. https://kubernetes.io/docs/reference/access-authn-authz/user-impersonation/
 *
 * @throws ApiError 403 when `user` may not
 */
export function impersonate(request: IncomingMessage, user: UserInfo, authorizer: Authorizer): UserInfo {
  const wanted = requested(request);
  if (wanted === undefined) return user;
  const { username, uid, groups, extra } = wanted;
  const need = (resource: Partial<ResourceAttributes> & { resource: string }) => {
    const about = { group: "", subresource: "", namespace: "", name: "", ...resource };
    const access = { user, verb: "impersonate", resource: about };
    const { allowed, reason } = authorizer.authorize(access);
    if (!allowed) throw forbidden(access, reason);
  };
  const [, namespace, account] = serviceAccount.exec(username) ?? [];
  if (namespace !== undefined) need({ resource: "serviceaccounts", namespace, name: account });
  else need({ resource: "users", name: username });
  for (const name of groups) need({ resource: "groups", name });
  for (const [key, values] of Object.entries(extra)) {
    for (const name of values) need({ group: "authentication.k8s.io", resource: "userextras", subresource: key, name });
  }
  if (uid !== undefined) need({ group: "authentication.k8s.io", resource: "uids", name: uid });
  const implied =
    namespace !== undefined && groups.length === 0
      ? ["system:serviceaccounts", `system:serviceaccounts:${namespace}`]
      : groups;
  const result = {
    username,
    ...(uid === undefined ? {} : { uid }),
    groups: implied,
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
  if (username !== anonymous.username) {
    return implied.includes("system:unauthenticated") ? result : withAuthenticated(result);
  }
  return { ...result, groups: [...new Set([...implied, ...anonymous.groups])] };
}

interface Requested {
  username: string;
  uid: string | undefined;
  groups: string[];
  extra: Record<string, string[]>;
}

/** Read from the raw headers: values that are given more than once must not be joined. */
function requested({ rawHeaders }: IncomingMessage): Requested | undefined {
  let username = "";
  let uid: string | undefined;
  const groups: string[] = [];
  const extra: Record<string, string[]> = {};
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    if (!name.startsWith("impersonate-")) continue;
    const value = Buffer.from(rawHeaders[i + 1]!, "latin1").toString("utf8");
    if (name === "impersonate-user") username ||= value;
    else if (name === "impersonate-uid") uid ??= value;
    else if (name === "impersonate-group") groups.push(value);
    else if (name.startsWith("impersonate-extra-")) {
      const key = unescape(name.slice("impersonate-extra-".length));
      extra[key] = [...(Object.hasOwn(extra, key) ? extra[key]! : []), value];
    }
  }
  if (username !== "") return { username, uid, groups, extra };
  if (groups.length === 0 && uid === undefined && Object.keys(extra).length === 0) return undefined;
  const what = `[${[...groups.map((g) => `{Group  ${g}}`), ...(uid === undefined ? [] : [`{UID  ${uid}}`])].join(" ")}]`;
  throw new ApiError(500, "InternalError", `Internal error occurred: requested ${what} without impersonating a user`);
}

function unescape(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
