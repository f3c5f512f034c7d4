import { stringify } from "yaml";
import type { Credentials } from "./kubeconfig.ts";

/** A kubeconfig (YAML) with one context, in `namespace`, for programs that are given our own connection. */
export function kubeconfigFor(credentials: Credentials, namespace: string): string {
  const { server, ca, cert, key, token, insecure, servername } = credentials;
  const data = (pem: string | undefined) => (pem === undefined ? undefined : Buffer.from(pem).toString("base64"));
  const name = "k8s-practice";
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name,
        cluster: {
          server,
          "certificate-authority-data": data(ca),
          ...(insecure === true ? { "insecure-skip-tls-verify": true } : {}),
          ...(servername === undefined ? {} : { "tls-server-name": servername }),
        },
      },
    ],
    users: [{ name, user: { "client-certificate-data": data(cert), "client-key-data": data(key), token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace } }],
    "current-context": name,
  });
}
