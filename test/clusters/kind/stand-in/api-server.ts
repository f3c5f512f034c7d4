import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { selfSigned } from "../../self-signed.ts";

/** What a real API server would say of a cluster, for the handful of requests the provider makes. */
export interface ApiStandIn {
  url: string;
  /** PEM of the certificate, which is its own authority. */
  ca: string;
  requests: { method: string; path: string; body: unknown; userAgent: string }[];
  /** Node names; those in `notReady` are not Ready. */
  nodes: string[];
  notReady: Set<string>;
  marker: string | undefined;
  /** Which access reviews are answered with no. */
  denied(attributes: { resource: string; verb: string }): boolean;
  /** So many requests are answered with 503 first. */
  busy: number;
  kubeconfig(context: string): string;
  close(): Promise<void>;
}

export async function apiStandIn(): Promise<ApiStandIn> {
  const { ca, key } = await selfSigned();
  const server = createServer({ cert: ca, key }, async (request, response) => {
    const body = await bodyOf(request);
    const path = request.url ?? "";
    const method = request.method ?? "";
    standIn.requests.push({ method, path, body, userAgent: request.headers["user-agent"] ?? "" });
    const [status, answer] = takeBusy(standIn) ? [503, {}] : answerTo(standIn, method, path, body);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const standIn: ApiStandIn = {
    url,
    ca,
    requests: [],
    nodes: ["k8s-practice-control-plane", "k8s-practice-worker", "k8s-practice-worker2"],
    notReady: new Set(),
    marker: undefined,
    denied: () => false,
    busy: 0,
    kubeconfig: (context) => `apiVersion: v1
kind: Config
clusters: [{name: ${context}, cluster: {server: "${url}", certificate-authority-data: ${Buffer.from(ca).toString("base64")}}}]
users: [{name: ${context}, user: {token: secret}}]
contexts: [{name: ${context}, context: {cluster: ${context}, user: ${context}}}]
current-context: ${context}
`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return standIn;
}

function takeBusy(standIn: ApiStandIn): boolean {
  if (standIn.busy === 0) return false;
  standIn.busy--;
  return true;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? undefined : JSON.parse(text);
}

function answerTo(standIn: ApiStandIn, method: string, path: string, body: unknown): [number, unknown] {
  const marker = "/api/v1/namespaces/kube-system/configmaps";
  if (path === "/version") return [200, { gitVersion: "v1.36.4" }];
  if (path === "/api/v1/nodes") {
    const items = standIn.nodes.map((name) => ({
      metadata: {
        name,
        labels: name.includes("control-plane") ? { "node-role.kubernetes.io/control-plane": "" } : {},
      },
      status: { conditions: [{ type: "Ready", status: standIn.notReady.has(name) ? "Unknown" : "True" }] },
    }));
    return [200, { items }];
  }
  if (path === "/api/v1/namespaces/default/serviceaccounts/default") return [200, {}];
  if (path === `${marker}/k8s-practice`) {
    return standIn.marker === undefined ? [404, { reason: "NotFound" }] : [200, { data: { id: standIn.marker } }];
  }
  if (path === marker && method === "POST") {
    standIn.marker = (body as { data: { id: string } }).data.id;
    return [201, body];
  }
  if (method === "PATCH" && path.startsWith("/api/v1/nodes/")) return [200, {}];
  if (path === "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews") {
    const { resourceAttributes } = (body as { spec: { resourceAttributes: { resource: string; verb: string } } }).spec;
    return [201, { status: { allowed: !standIn.denied(resourceAttributes) } }];
  }
  return [404, { kind: "Status", code: 404, reason: "NotFound", message: `not found: ${path}` }];
}
