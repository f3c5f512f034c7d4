import { readFile } from "node:fs/promises";
import { request as httpsRequest } from "node:https";
import { load } from "js-yaml";
import { userAgent } from "../client/client.ts";

/** How to reach an API server with a client certificate, as kind's and the embedded cluster's kubeconfigs have it. */
export interface Endpoint {
  server: string;
  ca?: string;
  cert?: string;
  key?: string;
  token?: string;
}

interface KubeConfigFile {
  clusters?: { name: string; cluster: { server: string; "certificate-authority-data"?: string } }[];
  users?: {
    name: string;
    user: { "client-certificate-data"?: string; "client-key-data"?: string; token?: string };
  }[];
  contexts?: { name: string; context: { cluster: string; user: string } }[];
}

/** The endpoint of a context in a kubeconfig of ours (credentials inline). Undefined when the file has no such context. */
export async function readEndpoint(path: string, context: string): Promise<Endpoint | undefined> {
  const config = load(await readFile(path, "utf8")) as KubeConfigFile | undefined;
  const entry = config?.contexts?.find((candidate) => candidate.name === context)?.context;
  const cluster = config?.clusters?.find((candidate) => candidate.name === entry?.cluster)?.cluster;
  const user = config?.users?.find((candidate) => candidate.name === entry?.user)?.user;
  if (cluster === undefined) return undefined;
  return {
    server: cluster.server,
    ca: decode(cluster["certificate-authority-data"]),
    cert: decode(user?.["client-certificate-data"]),
    key: decode(user?.["client-key-data"]),
    token: user?.token,
  };
}

function decode(base64: string | undefined): string | undefined {
  return base64 === undefined ? undefined : Buffer.from(base64, "base64").toString("utf8");
}

export interface ApiResponse {
  status: number;
  /** Parsed when it is JSON, else the text. */
  body: unknown;
}

/**
 * One request to an API server. Rejects when it can't be reached, does not prove its identity with the endpoint's
 * certificate authority, or does not answer in `timeoutMs`; any HTTP status resolves.
 */
export function requestApi(
  endpoint: Endpoint,
  method: string,
  path: string,
  options: { body?: unknown; contentType?: string; timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<ApiResponse> {
  const { body, contentType = "application/json", timeoutMs = 10_000, signal } = options;
  return new Promise((resolve, reject) => {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const request = httpsRequest(
      new URL(path, endpoint.server),
      {
        method,
        ca: endpoint.ca,
        cert: endpoint.cert,
        key: endpoint.key,
        agent: false,
        signal,
        headers: {
          accept: "application/json",
          "user-agent": userAgent,
          ...(endpoint.token === undefined ? {} : { authorization: `Bearer ${endpoint.token}` }),
          ...(payload === undefined ? {} : { "content-type": contentType }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({ status: response.statusCode ?? 0, body: parseBody(text) });
        });
      },
    );
    request.setTimeout(timeoutMs, () =>
      request.destroy(new Error(`no answer from ${endpoint.server} in ${timeoutMs} ms`)),
    );
    request.on("error", reject);
    request.end(payload);
  });
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
