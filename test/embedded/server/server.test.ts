import { request } from "node:https";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { KubeClient, type WatchEvent, watch } from "../../../src/client/index.ts";
import { type EmbeddedCluster, startEmbeddedCluster } from "../../../src/embedded/cluster.ts";

let cluster: EmbeddedCluster;
let client: KubeClient;
const audit: Record<string, unknown>[] = [];

beforeAll(async () => {
  const nodes = [{ name: "one", controlPlane: false }];
  cluster = await startEmbeddedCluster({ nodes, onAudit: (event) => audit.push(event) });
  const config = parse(cluster.kubeconfig);
  const pem = (data: string) => Buffer.from(data, "base64").toString("utf8");
  client = new KubeClient({
    server: cluster.url,
    ca: pem(config.clusters[0].cluster["certificate-authority-data"]),
    cert: pem(config.users[0].user["client-certificate-data"]),
    key: pem(config.users[0].user["client-key-data"]),
  });
});
afterAll(async () => {
  client.close();
  await cluster.close();
});

interface Answer {
  code: number;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
}

/** A request with any headers and body; with the learner's certificate unless `anonymous`. */
function ask(
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: string; anonymous?: boolean } = {},
): Promise<Answer> {
  const { ca, cert, key } = client.credentials;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${cluster.url}${path}`,
      { method, headers: options.headers, ca, ...(options.anonymous ? {} : { cert, key }), agent: false },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk) => {
          text += chunk;
        });
        answer.on("end", () => {
          let body: Record<string, unknown> = { text };
          try {
            body = JSON.parse(text);
          } catch {}
          resolve({ code: answer.statusCode ?? 0, headers: answer.headers, body });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(options.body);
  });
}

const configMaps = "/api/v1/namespaces/default/configmaps";
const json = { "content-type": "application/json" };
const create = (name: string, data: Record<string, string> = {}) =>
  ask("POST", configMaps, { headers: json, body: JSON.stringify({ metadata: { name }, data }) });

describe("who asks", () => {
  it("without a certificate sees health and version, and nothing else", async () => {
    expect((await ask("GET", "/readyz", { anonymous: true })).body).toEqual({ text: "ok" });
    expect((await ask("GET", "/version", { anonymous: true })).body).toMatchObject({ gitVersion: "v1.36.2" });
    for (const path of ["/api/v1/pods", "/apis", "/k8s-practice/nodes/one/stop", "/openapi/v3"]) {
      const answer = await ask("GET", path, { anonymous: true });
      expect(answer.code, path).toBe(403);
      expect(answer.body).toMatchObject({ kind: "Status", reason: "Forbidden" });
    }
  });

  it("with a token that is none of ours is refused", async () => {
    const answer = await ask("GET", "/api/v1/pods", { anonymous: true, headers: { authorization: "Bearer x" } });
    expect(answer).toMatchObject({ code: 401, body: { reason: "Unauthorized" } });
  });
});

describe("discovery", () => {
  it("is aggregated for those who ask, and plain for the others", async () => {
    const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
    const aggregated = await ask("GET", "/apis", { headers: { accept } });
    expect(aggregated.body).toMatchObject({ kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2" });
    expect(aggregated.headers["content-type"]).toBe(
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
    );
    expect((await ask("GET", "/apis")).body).toMatchObject({ kind: "APIGroupList" });
    expect((await ask("GET", "/apis/apps")).body).toMatchObject({ preferredVersion: { groupVersion: "apps/v1" } });
  });

  it("tells drain that Pods can be evicted", async () => {
    const { resources } = (await ask("GET", "/api/v1")).body as { resources: { name: string }[] };
    expect(resources.find(({ name }) => name === "pods/eviction")).toMatchObject({
      kind: "Eviction",
      group: "policy",
      version: "v1",
    });
  });

  it("describes types and patches in OpenAPI", async () => {
    const { paths } = (await ask("GET", "/openapi/v3")).body as {
      paths: Record<string, { serverRelativeURL: string }>;
    };
    const document = (await ask("GET", paths["apis/apps/v1"]!.serverRelativeURL)).body as unknown as {
      paths: Record<string, Record<string, Record<string, object>>>;
      components: { schemas: Record<string, object> };
    };
    const patch = document.paths["/apis/apps/v1/namespaces/{namespace}/daemonsets/{name}"]!["patch"]!;
    expect(patch["x-kubernetes-group-version-kind"]).toEqual({ group: "apps", kind: "DaemonSet", version: "v1" });
    expect(Object.keys(document.components.schemas)).toContain("io.k8s.api.core.v1.PodSpec");
  });
});

describe("requests that make no sense", () => {
  it.each([
    ["GET", "/api/v1/nothings", {}, 404, "NotFound"],
    ["GET", "/nothing", {}, 404, "NotFound"],
    ["GET", `${configMaps}/none`, {}, 404, "NotFound"],
    ["GET", "/apis/apps/v1/namespaces/default/daemonsets/x/scale", {}, 404, "NotFound"],
    ["PUT", configMaps, { body: "{}", headers: json }, 405, "MethodNotAllowed"],
    ["POST", configMaps, { body: "{", headers: json }, 400, "BadRequest"],
    ["POST", configMaps, { body: "x", headers: { "content-type": "text/plain" } }, 415, "UnsupportedMediaType"],
    ["PATCH", `${configMaps}/x`, { body: "{}", headers: json }, 415, "UnsupportedMediaType"],
    ["GET", configMaps, { headers: { accept: "image/png" } }, 406, "NotAcceptable"],
    ["POST", "/api/v1/namespaces/default/pods/x/exec", { body: "" }, 400, "BadRequest"],
  ])("%s %s %j: %d %s", async (method, path, options, code, reason) => {
    const answer = await ask(method, path, options);
    expect(answer.code, JSON.stringify(answer.body)).toBe(code);
    expect(answer.body).toMatchObject({ kind: "Status", status: "Failure", reason, code });
  });

  it("larger than the API takes are refused", async () => {
    const body = JSON.stringify({ metadata: { name: "big" }, data: { a: "x".repeat(4 * 1024 * 1024) } });
    const answer = await ask("POST", configMaps, { headers: json, body }).catch(() => ({ code: 413 }));
    expect(answer.code).toBe(413);
  });
});

describe("objects", () => {
  it("come as a Table with what the client wants of each object", async () => {
    await create("shown", { a: "1", b: "2" });
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
    const table = (await ask("GET", `${configMaps}?fieldSelector=metadata.name=shown`, { headers: { accept } })).body;
    expect(table).toMatchObject({
      kind: "Table",
      columnDefinitions: [{ name: "Name" }, { name: "Data" }, { name: "Age" }],
      rows: [{ cells: ["shown", 2, expect.any(String)], object: { kind: "PartialObjectMetadata" } }],
    });
    const bare = await ask("GET", `${configMaps}/shown?includeObject=None`, { headers: { accept } });
    expect((bare.body as { rows: object[] }).rows[0]).not.toHaveProperty("object");
  });

  it("unknown fields come back as a warning, or are refused when strict", async () => {
    const body = JSON.stringify({ metadata: { name: "warned" }, dtaa: {} });
    const warned = await ask("POST", configMaps, { headers: json, body });
    expect(warned).toMatchObject({ code: 201, headers: { warning: '299 - "unknown field \\"dtaa\\""' } });
    const strict = await ask("POST", `${configMaps}?fieldValidation=Strict`, { headers: json, body });
    expect(strict).toMatchObject({ code: 400, body: { message: expect.stringContaining('unknown field "dtaa"') } });
  });

  it("are watched: what is there, a bookmark when asked for, then changes, until the client goes", async () => {
    await create("watched");
    const stop = new AbortController();
    const seen: string[] = [];
    const query = {
      fieldSelector: "metadata.name=watched",
      sendInitialEvents: "true",
      resourceVersionMatch: "NotOlderThan",
      allowWatchBookmarks: "true",
    };
    for await (const event of watch(client, { path: configMaps, query, resourceVersion: "", signal: stop.signal })) {
      const { metadata } = (event as WatchEvent<{ metadata: { annotations?: Record<string, string> } }>).object;
      seen.push(`${event.type}${metadata.annotations?.["k8s.io/initial-events-end"] === "true" ? " end" : ""}`);
      if (event.type === "BOOKMARK") await client.call({ method: "DELETE", path: `${configMaps}/watched` });
      if (event.type === "DELETED") stop.abort();
    }
    expect(seen).toEqual(["ADDED", "BOOKMARK end", "DELETED"]);
  });
});

describe("a watch from a version on, as kubectl get -w and informers ask for it", () => {
  it("has what changed since, and no bookmark that nobody asked for", async () => {
    const { metadata } = await client.call<{ metadata: { resourceVersion: string } }>({ path: configMaps });
    await create("since");
    const stop = new AbortController();
    const { resourceVersion } = metadata;
    const seen: string[] = [];
    const events = watch(client, { path: configMaps, query: {}, resourceVersion, signal: stop.signal });
    for await (const event of events) {
      seen.push(event.type);
      if (event.type === "ADDED") await client.call({ method: "DELETE", path: `${configMaps}/since` });
      else stop.abort();
    }
    expect(seen).toEqual(["ADDED", "DELETED"]);
  });
});

describe("the audit log", () => {
  it("has each request, with its body, before the client has the answer", async () => {
    audit.length = 0;
    const patch = { data: { k: "v" } };
    await create("audited");
    await ask("PATCH", `${configMaps}/audited`, {
      headers: { "content-type": "application/merge-patch+json", "user-agent": "kubectl/v1.36" },
      body: JSON.stringify(patch),
    });
    expect(audit.at(-1)).toMatchObject({
      kind: "Event",
      apiVersion: "audit.k8s.io/v1",
      level: "Request",
      stage: "ResponseComplete",
      verb: "patch",
      userAgent: "kubectl/v1.36",
      user: { username: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] },
      objectRef: { resource: "configmaps", namespace: "default", name: "audited", apiVersion: "v1" },
      responseStatus: { code: 200 },
      requestObject: patch,
    });
    await ask("DELETE", `${configMaps}/none`);
    expect(audit.at(-1)).toMatchObject({ verb: "delete", responseStatus: { code: 404, reason: "NotFound" } });
  });
});
