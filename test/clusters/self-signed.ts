import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from "@peculiar/x509";

/** A certificate for 127.0.0.1 that is its own authority, with its key; PEM. */
export async function selfSigned(): Promise<{ ca: string; key: string }> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      name: "CN=127.0.0.1",
      keys,
      signingAlgorithm: algorithm,
      notAfter: new Date(Date.now() + 86_400_000),
      extensions: [new SubjectAlternativeNameExtension([{ type: "ip", value: "127.0.0.1" }])],
    },
    webcrypto as never,
  );
  const ca = certificate.toString("pem");
  const key = `-----BEGIN PRIVATE KEY-----\n${Buffer.from(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64")}\n-----END PRIVATE KEY-----\n`;
  return { ca, key };
}
