import { randomUUID } from "node:crypto";
import type { Clock } from "../../api/clock.ts";
import type { KubeObject } from "../../api/object.ts";
import type { UserInfo } from "../../registry/api.ts";
import type { Store } from "../../store/store.ts";
import { credentialId } from "../authentication/authenticate.ts";
import type { TokenResult } from "../reviews/reviews.ts";
import type { Claims, JwtKey } from "./jwt.ts";

/** The issuer, and the audience that the API server takes itself to be. */
export const issuer = "https://kubernetes.default.svc.cluster.local";
const legacyIssuer = "kubernetes/serviceaccount";
const invalid = "invalid bearer token";

interface Reference {
  name: string;
  uid: string;
}

/** What a token is bound to: it is good as long as these are there. */
export interface Bound {
  pod?: Reference;
  node?: Partial<Reference>;
  secret?: Reference;
}

/** ServiceAccounts' tokens. https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/#bound-service-account-tokens */
export class ServiceAccountTokens {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly key: JwtKey,
  ) {}

  /** @param seconds how long it is good */
  issue(
    account: KubeObject,
    audiences: readonly string[],
    seconds: number,
    bound: Bound,
  ): { token: string; expires: number } {
    const { namespace = "", name = "", uid = "" } = account.metadata;
    const now = Math.floor(this.clock.now() / 1000);
    const token = this.key.sign({
      aud: audiences,
      exp: now + seconds,
      iat: now,
      iss: issuer,
      jti: randomUUID(),
      "kubernetes.io": { namespace, ...bound, serviceaccount: { name, uid } },
      nbf: now,
      sub: username(namespace, name),
    });
    return { token, expires: (now + seconds) * 1000 };
  }

  /**
   * How others verify tokens: OpenID Connect's discovery document and the keys
   * (https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/#service-account-issuer-discovery).
   *
   * @param host where the API server was reached
   */
  discovery(pathname: string, host: string): object | undefined {
    if (pathname === "/openid/v1/jwks") return this.key.keySet();
    if (pathname !== "/.well-known/openid-configuration") return undefined;
    return {
      issuer,
      jwks_uri: `https://${host}/openid/v1/jwks`,
      response_types_supported: ["id_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["ES256"],
    };
  }

  /** The token in a Secret of type kubernetes.io/service-account-token: good as long as Secret and account are there. */
  issueLegacy(account: KubeObject, secret: KubeObject): string {
    const { namespace = "", name = "", uid } = account.metadata;
    return this.key.sign({
      iss: legacyIssuer,
      "kubernetes.io/serviceaccount/namespace": namespace,
      "kubernetes.io/serviceaccount/secret.name": secret.metadata.name,
      "kubernetes.io/serviceaccount/service-account.name": name,
      "kubernetes.io/serviceaccount/service-account.uid": uid,
      sub: username(namespace, name),
    });
  }

  /** Who holds a token that is good for one of the audiences; the API server's own if there are none. */
  check(token: string, audiences: readonly string[]): TokenResult {
    const claims = this.key.verify(token);
    if (claims === undefined) return { error: invalid };
    return claims["iss"] === legacyIssuer
      ? this.checkLegacy(claims, token, audiences)
      : this.checkBound(claims, audiences);
  }

  private checkBound(claims: Claims, wanted: readonly string[]): TokenResult {
    const now = this.clock.now() / 1000;
    const { exp, nbf, jti } = claims as { exp: number; nbf: number; jti: string };
    if (now >= exp) return { error: `[${invalid}, service account token has expired]` };
    if (now + 60 < nbf) return { error: `[${invalid}, service account token is not valid yet]` };
    const audiences = ours(claims["aud"] as string[], wanted);
    if (audiences === undefined)
      return {
        error: `[${invalid}, token audiences ${list(claims["aud"])} is invalid for the target audiences ${list(targets(wanted))}]`,
      };
    const own = claims["kubernetes.io"] as Bound & { namespace: string; serviceaccount: Reference };
    const { namespace, serviceaccount, pod, secret, node } = own;
    if (!this.stands("serviceaccounts", namespace, serviceaccount))
      return { error: `[${invalid}, service account token has been invalidated]` };
    if (pod !== undefined && !this.stands("pods", namespace, pod))
      return { error: `[${invalid}, service account token has been invalidated]` };
    if (secret !== undefined && !this.stands("secrets", namespace, secret))
      return { error: `[${invalid}, service account token has been invalidated]` };
    const extra: Record<string, string[]> = { [credentialId]: [`JTI=${jti}`] };
    const add = (key: string, value: string | undefined) => {
      if (value !== undefined) extra[`authentication.kubernetes.io/${key}`] = [value];
    };
    add("node-name", node?.name);
    add("node-uid", node?.uid);
    add("pod-name", pod?.name);
    add("pod-uid", pod?.uid);
    return { user: { ...account(namespace, serviceaccount), extra }, audiences };
  }

  private checkLegacy(claims: Claims, token: string, wanted: readonly string[]): TokenResult {
    const claim = (key: string) => String(claims[`kubernetes.io/serviceaccount/${key}`]);
    const namespace = claim("namespace");
    const secret = this.store.get({ group: "", resource: "secrets" }, namespace, claim("secret.name"));
    const data = secret?.["data"] as Record<string, string> | undefined;
    const reference = { name: claim("service-account.name"), uid: claim("service-account.uid") };
    const audiences = ours([issuer], wanted);
    if (
      audiences === undefined ||
      data?.["token"] !== Buffer.from(token).toString("base64") ||
      !this.stands("serviceaccounts", namespace, reference)
    )
      return { error: `[${invalid}, service account token has been invalidated]` };
    return { user: account(namespace, reference), audiences };
  }

  private stands(resource: string, namespace: string, { name, uid }: Reference): boolean {
    const object = this.store.get({ group: "", resource }, namespace, name);
    return object !== undefined && object.metadata.uid === uid;
  }
}

function account(namespace: string, { name, uid }: Reference): UserInfo {
  const groups = ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
  return { username: username(namespace, name), uid, groups };
}

function username(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

function targets(wanted: readonly string[]): readonly string[] {
  return wanted.length === 0 ? [issuer] : wanted;
}

function ours(given: readonly string[], wanted: readonly string[]): string[] | undefined {
  const both = targets(wanted).filter((audience) => given.includes(audience));
  return both.length === 0 ? undefined : both;
}

function list(values: unknown): string {
  return `[${(values as readonly string[]).map((value) => JSON.stringify(value)).join(" ")}]`;
}
