import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";

export type Claims = Record<string, unknown>;

/** Signs and verifies JSON Web Tokens (RFC 7519) by ES256 with one key. */
export class JwtKey {
  private readonly privateKey: KeyObject;
  private readonly publicKey: KeyObject;
  private readonly header: string;
  private readonly kid: string;

  /** @param pem a P-256 private key, PKCS #8 */
  constructor(pem: string) {
    this.privateKey = createPrivateKey(pem);
    this.publicKey = createPublicKey(this.privateKey);
    this.kid = createHash("sha256")
      .update(this.publicKey.export({ type: "spki", format: "der" }))
      .digest("base64url");
    this.header = encode({ alg: "ES256", kid: this.kid });
  }

  /** The public key as a JSON Web Key Set (RFC 7517). */
  keySet() {
    return { keys: [{ use: "sig", ...this.publicKey.export({ format: "jwk" }), kid: this.kid, alg: "ES256" }] };
  }

  sign(claims: Claims): string {
    const signed = `${this.header}.${encode(claims)}`;
    const signature = sign("sha256", Buffer.from(signed), { key: this.privateKey, dsaEncoding: "ieee-p1363" });
    return `${signed}.${signature.toString("base64url")}`;
  }

  /** The claims of a token that this key has signed; undefined for any other text. */
  verify(token: string): Claims | undefined {
    const [header, claims, signature, ...more] = token.split(".");
    // Only our own header: no other algorithm is ever looked at.
    if (header !== this.header || claims === undefined || signature === undefined || more.length > 0) return undefined;
    const key = { key: this.publicKey, dsaEncoding: "ieee-p1363" } as const;
    if (!verify("sha256", Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, "base64url")))
      return undefined;
    return JSON.parse(Buffer.from(claims, "base64url").toString("utf8")) as Claims;
  }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
