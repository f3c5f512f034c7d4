import type { IncomingMessage } from "node:http";
import { apiError } from "../api/api-error.ts";
import type { UserInfo } from "../registry/api.ts";
import { tlsSocket } from "./tls-socket.ts";

export const anonymous: UserInfo = { username: "system:anonymous", groups: ["system:unauthenticated"] };

/** Who holds a bearer token; undefined when it is none of ours. */
export type TokenReader = (token: string) => UserInfo | undefined;

/**
 * The user of a request: by a client certificate of the cluster's authority (CN is the name, each O a group), by a
 * bearer token, else anonymous. https://kubernetes.io/docs/reference/access-authn-authz/authentication/
 *
 * @throws ApiError 401 for a token that is none of ours
 */
export function authenticate(request: IncomingMessage, readToken: TokenReader): UserInfo {
  const socket = tlsSocket(request);
  if (socket.authorized) {
    const subject = socket.getPeerCertificate().subject as unknown as Record<string, string | string[] | undefined>;
    const many = (value: string | string[] | undefined) => (value === undefined ? [] : [value].flat());
    const [username] = many(subject?.["CN"]);
    if (username !== undefined) return { username, groups: [...many(subject["O"]), "system:authenticated"] };
  }
  const [, token] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "") ?? [];
  if (token === undefined) return anonymous;
  const user = readToken(token);
  if (user === undefined) throw apiError.unauthorized();
  return { ...user, groups: [...user.groups, "system:authenticated"] };
}
