import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { parse } from "yaml";
import { PracticeError } from "../messages/practice-error.ts";

/** What a connection to one cluster needs; PEM texts. */
export interface Credentials {
  /** `https://HOST:PORT`, perhaps with a path. */
  server: string;
  ca?: string;
  cert?: string;
  key?: string;
  token?: string;
  insecure?: boolean;
  /** The name the server's certificate is checked against, where it is not the host. */
  servername?: string;
  headers?: Record<string, string>;
}

interface Named<K extends string, T> {
  name: string;
  value?: T;
  raw: Record<K, T>;
}

interface ClusterEntry {
  server: string;
  "certificate-authority"?: string;
  "certificate-authority-data"?: string;
  "insecure-skip-tls-verify"?: boolean;
  "tls-server-name"?: string;
  "proxy-url"?: string;
}

interface UserEntry {
  "client-certificate"?: string;
  "client-certificate-data"?: string;
  "client-key"?: string;
  "client-key-data"?: string;
  token?: string;
  tokenFile?: string;
  exec?: unknown;
  "auth-provider"?: unknown;
  username?: string;
}

/**
 * The credentials of `context` in the kubeconfig at `path`. Certificates and tokens are read here; what needs a
 * program to be run (exec plugins, auth providers) is left to the Kubernetes client, which is loaded only then.
 *
 * @throws PracticeError of kind environment when the file, the context or what it names is not there
 */
export async function readCredentials(path: string, context: string): Promise<Credentials> {
  let config: Record<string, unknown>;
  try {
    config = parse(await readFile(path, "utf8")) as Record<string, unknown>;
  } catch (cause) {
    throw new PracticeError(
      "environment",
      "client.kubeconfig-unreadable",
      { path, reason: reasonOf(cause) },
      { cause },
    );
  }
  const entry = <K extends "context" | "cluster" | "user", T>(kind: K, name: string | undefined): T => {
    const list = (config?.[`${kind}s`] ?? []) as (Named<K, T>["raw"] & { name: string })[];
    const found = Array.isArray(list) ? list.find((item) => item?.name === name) : undefined;
    if (found === undefined) {
      throw new PracticeError("environment", "client.kubeconfig-entry", { path, kind, name: name ?? "?" });
    }
    return found[kind];
  };
  const names = entry<"context", { cluster: string; user: string }>("context", context);
  const cluster = entry<"cluster", ClusterEntry>("cluster", names.cluster);
  const user = entry<"user", UserEntry>("user", names.user);
  if (user.exec !== undefined || user["auth-provider"] !== undefined || user.username !== undefined) {
    return withKubernetesClient(path, context, cluster);
  }

  const folder = dirname(path);
  const pem = async (data: string | undefined, file: string | undefined) => {
    if (data !== undefined) return Buffer.from(data, "base64").toString("utf8");
    return file === undefined ? undefined : readFile(resolve(folder, file), "utf8");
  };
  const [ca, cert, key, token] = await Promise.all([
    pem(cluster["certificate-authority-data"], cluster["certificate-authority"]),
    pem(user["client-certificate-data"], user["client-certificate"]),
    pem(user["client-key-data"], user["client-key"]),
    user.tokenFile === undefined ? user.token : readFile(resolve(folder, user.tokenFile), "utf8").then((t) => t.trim()),
  ]);
  return {
    server: cluster.server,
    ca,
    cert,
    key,
    token,
    insecure: cluster["insecure-skip-tls-verify"] === true,
    servername: cluster["tls-server-name"],
  };
}

async function withKubernetesClient(path: string, context: string, cluster: ClusterEntry): Promise<Credentials> {
  const { KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  config.loadFromFile(path);
  config.setCurrentContext(context);
  const options: Record<string, unknown> = { headers: {} };
  await config.applyToHTTPSOptions(options as Parameters<typeof config.applyToHTTPSOptions>[0]);
  const text = (value: unknown) => (value === undefined || value === null ? undefined : String(value));
  return {
    server: cluster.server,
    ca: text(options["ca"]),
    cert: text(options["cert"]),
    key: text(options["key"]),
    insecure: options["rejectUnauthorized"] === false,
    servername: text(options["servername"]),
    headers: {
      ...(options["headers"] as Record<string, string>),
      ...(typeof options["auth"] === "string"
        ? { authorization: `Basic ${Buffer.from(options["auth"]).toString("base64")}` }
        : {}),
    },
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
