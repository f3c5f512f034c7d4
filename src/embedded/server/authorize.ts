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
