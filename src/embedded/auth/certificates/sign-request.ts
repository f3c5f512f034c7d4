// The certificate library finds its decorators' metadata through this.
import "reflect-metadata";
import { randomBytes, webcrypto } from "node:crypto";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Pkcs10CertificateRequest,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";
import type { SigningOrder } from "../../controllers/certificates/certificate-signer.ts";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const clockSkewMs = 5 * 60_000;

/**
 * A client certificate for a certificate request (PEM), signed by the cluster's authority (PEM).
 * @throws Error for a request that is none or not signed by its own key
 */
export async function signRequest(order: SigningOrder, authority: { ca: string; caKey: string }): Promise<string> {
  const crypto = webcrypto as never;
  const request = new Pkcs10CertificateRequest(order.request);
  if (!(await request.verify(crypto))) throw new Error("x509: ECDSA verification failure");
  const ca = new X509Certificate(authority.ca);
  const der = Buffer.from(authority.caKey.replace(/-----[^-]+-----|\s/g, ""), "base64");
  const signingKey = await webcrypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
  const usages = order.usages.includes("key encipherment")
    ? KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment
    : KeyUsageFlags.digitalSignature;
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x7f) | 0x01;
  const certificate = await X509CertificateGenerator.create(
    {
      notBefore: new Date(order.now - clockSkewMs),
      notAfter: new Date(Math.min(order.now + order.seconds * 1000, ca.notAfter.getTime())),
      subject: request.subject,
      issuer: ca.subject,
      serialNumber: serial.toString("hex"),
      publicKey: request.publicKey,
      signingKey,
      signingAlgorithm: algorithm,
      extensions: [
        new KeyUsagesExtension(usages, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
        new BasicConstraintsExtension(false, undefined, true),
        await AuthorityKeyIdentifierExtension.create(ca.publicKey, false, crypto),
      ],
    },
    crypto,
  );
  return `${certificate.toString("pem")}\n`;
}
