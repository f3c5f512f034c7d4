// The certificate library finds its decorators' metadata through this.
import "reflect-metadata";
import { randomBytes, webcrypto } from "node:crypto";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";

/** The cluster's keys and certificates, PEM. */
export interface Pki {
  /** The certificate authority, which signs the server's and the administrator's certificates. */
  ca: string;
  /** Signs certificates that are asked for later. */
  caKey: string;
  serverCert: string;
  serverKey: string;
  /** Of user kubernetes-admin in group system:masters. */
  clientCert: string;
  clientKey: string;
  /** Signs ServiceAccounts' tokens. */
  serviceAccountKey: string;
}

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const TEN_YEARS_MS = 10 * 365 * 86_400_000;
/** Clocks of a host and of a virtual machine in it differ a little. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** Names an API server of Kubernetes answers to, as kubeadm writes them into its certificate. */
const SERVER_NAMES = [
  { type: "ip", value: "127.0.0.1" },
  { type: "ip", value: "::1" },
  { type: "ip", value: "10.96.0.1" },
  { type: "dns", value: "localhost" },
  { type: "dns", value: "kubernetes" },
  { type: "dns", value: "kubernetes.default" },
  { type: "dns", value: "kubernetes.default.svc" },
  { type: "dns", value: "kubernetes.default.svc.cluster.local" },
] as const;

type Keys = Awaited<ReturnType<typeof newKeys>>;

/** A new certificate authority, and what it signs: a server certificate for loopback and an administrator's. */
export async function createPki(now = Date.now()): Promise<Pki> {
  const crypto = webcrypto as never;
  const validity = { notBefore: new Date(now - CLOCK_SKEW_MS), notAfter: new Date(now + TEN_YEARS_MS) };
  const [caKeys, serverKeys, clientKeys, accountKeys] = await Promise.all([newKeys(), newKeys(), newKeys(), newKeys()]);
  const ca = await X509CertificateGenerator.createSelfSigned(
    {
      ...validity,
      name: "CN=kubernetes",
      serialNumber: serial(),
      keys: caKeys,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new BasicConstraintsExtension(true, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.digitalSignature, true),
        await SubjectKeyIdentifierExtension.create(caKeys.publicKey, false, crypto),
      ],
    },
    crypto,
  );
  const sign = async (subject: string, keys: Keys, extensions: Extension[]) =>
    X509CertificateGenerator.create(
      {
        ...validity,
        subject,
        issuer: ca.subject,
        serialNumber: serial(),
        publicKey: keys.publicKey,
        signingKey: caKeys.privateKey,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new BasicConstraintsExtension(false, undefined, true),
          new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
          await AuthorityKeyIdentifierExtension.create(caKeys.publicKey, false, crypto),
          ...extensions,
        ],
      },
      crypto,
    );
  const server = await sign("CN=kube-apiserver", serverKeys, [
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
    new SubjectAlternativeNameExtension([...SERVER_NAMES]),
  ]);
  const client = await sign("O=system:masters, CN=kubernetes-admin", clientKeys, [
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
  ]);
  return {
    ca: `${ca.toString("pem")}\n`,
    caKey: await keyPem(caKeys),
    serverCert: `${server.toString("pem")}\n`,
    serverKey: await keyPem(serverKeys),
    clientCert: `${client.toString("pem")}\n`,
    clientKey: await keyPem(clientKeys),
    serviceAccountKey: await keyPem(accountKeys),
  };
}

function newKeys() {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
}

/** Positive, as RFC 5280 wants it: the first bit is 0. */
function serial(): string {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x01;
  return bytes.toString("hex");
}

async function keyPem({ privateKey }: Keys): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", privateKey));
  return `-----BEGIN PRIVATE KEY-----\n${der.toString("base64").replaceAll(/(.{64})/g, "$1\n")}\n-----END PRIVATE KEY-----\n`;
}
