import { type Authorizer, forbidden } from "../auth/authorization.ts";
import type { UserInfo } from "../registry/api.ts";
import type { RequestInfo } from "./request-info.ts";

/**
 * Lets a request through or throws the 403 for it.
 *
 * @param path what the request is about; undefined when it is about no resource
 */
export function authorizeRequest(
  authorizer: Authorizer,
  user: UserInfo,
  verb: string,
  path: RequestInfo | undefined,
  pathname: string,
): void {
  const request =
    path === undefined
      ? { user, verb, path: pathname }
      : {
          user,
          verb,
          resource: {
            group: path.info.group,
            version: path.info.version,
            resource: path.info.resource,
            subresource: path.subresource ?? "",
            namespace: path.namespace ?? "",
            name: path.name ?? "",
          },
        };
  const { allowed, reason } = authorizer.authorize(request);
  if (!allowed) throw forbidden(request, reason);
}

/**
 * What a list or watch of one object by `fieldSelector=metadata.name=NAME` is about, as kube-apiserver authorizes it: so
 * that who may see some names may watch them.
 */
export function withSelectedName(path: RequestInfo, query: URLSearchParams): RequestInfo {
  if (path.name !== undefined) return path;
  const clauses = (query.get("fieldSelector") ?? "").split(",");
  const [, name] = clauses.map((clause) => /^metadata\.name==?([^=!]+)$/.exec(clause)).find((found) => found) ?? [];
  return name === undefined ? path : { ...path, name };
}
