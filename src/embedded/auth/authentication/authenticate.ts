import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import { apiError } from "../../api/api-error.ts";
import type { UserInfo } from "../../registry/api.ts";

export const anonymous: UserInfo = { username: "system:anonymous", groups: ["system:unauthenticated"] };
export const authenticated = "system:authenticated";
export const credentialId = "authentication.kubernetes.io/credential-id";

/** Who holds a bearer token; undefined when it is none of ours. */
export type TokenReader = (token: string) => UserInfo | undefined;

/**
 * The user of a request: by a client certificate of the cluster's authority (CN is the name, each O a group), by a
 * bearer token, else anonymous. https://kubernetes.io/docs/reference/access-authn-authz/authentication/
 */
export class Authenticator {
  /** A connection's certificate is the same for all its requests. */
  private readonly holders = new WeakMap<object, UserInfo | undefined>();

  constructor(private readonly readToken: TokenReader) {}

  /** @throws ApiError 401 for a token that is none of ours */
  authenticate(request: IncomingMessage, connection: TLSSocket): UserInfo {
    const holder = this.certificateHolder(connection);
    if (holder !== undefined) return holder;
    const [, token] = /^Bearer +(\S+)\s*$/i.exec(request.headers.authorization ?? "") ?? [];
    if (token === undefined) return anonymous;
    const user = this.readToken(token);
    if (user === undefined) throw apiError.unauthorized();
    return withAuthenticated(user);
  }

  private certificateHolder(socket: TLSSocket): UserInfo | undefined {
    if (this.holders.has(socket)) return this.holders.get(socket);
    const holder = socket.authorized ? fromCertificate(socket) : undefined;
    this.holders.set(socket, holder);
    return holder;
  }
}

export function withAuthenticated(user: UserInfo): UserInfo {
  return user.groups.includes(authenticated) ? user : { ...user, groups: [...user.groups, authenticated] };
}

function fromCertificate(socket: TLSSocket): UserInfo | undefined {
  const { subject, fingerprint256 } = socket.getPeerCertificate();
  const parts = subject as unknown as Record<string, string | string[] | undefined> | undefined;
  const many = (value: string | string[] | undefined) => (value === undefined ? [] : [value].flat());
  const [username] = many(parts?.["CN"]);
  if (username === undefined || username === "") return undefined;
  const id = `X509SHA256=${fingerprint256.replaceAll(":", "").toLowerCase()}`;
  return withAuthenticated({ username, groups: many(parts?.["O"]), extra: { [credentialId]: [id] } });
}
