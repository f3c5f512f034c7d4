import { connect as connectTls } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServedCluster, servedCluster } from "../../fixture/served-cluster.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
let served: ServedCluster;
let port: number;
const log: string[] = [];

beforeAll(async () => {
  served = await servedCluster({ log: (line) => log.push(line) });
  port = Number(new URL(served.cluster.url).port);
});
afterAll(() => served.close());

const isWell = async () => expect((await served.ask("GET", configMaps)).code).toBe(200);

/** What the server answers to bytes that no HTTP client would send; its first line. */
function raw(text: string, certificate: object = served.admin): Promise<string> {
  return new Promise((resolve) => {
    const socket = connectTls({ host: "127.0.0.1", port, ca: served.ca, ALPNProtocols: ["http/1.1"], ...certificate });
    let answer = "";
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      answer += chunk;
      if (answer.includes("\r\n")) socket.destroy();
    });
    socket.on("close", () => resolve(answer.split("\r\n")[0]!));
    // A server that has had enough may close before all is sent.
    socket.on("error", () => {});
    socket.write(text);
  });
}
const status = async (text: string) => Number((await raw(text)).split(" ")[1]);

describe("a body", () => {
  it("of more than 3 MiB is refused in words, and the client gets to read them", async () => {
    const data = { big: "x".repeat(3 * 1024 * 1024) };
    const answer = await served.ask("POST", configMaps, { body: { metadata: { name: "big" }, data } });
    expect(answer.code).toBe(413);
    expect(answer.body).toMatchObject({ kind: "Status", reason: "RequestEntityTooLarge" });
    await isWell();
  });

  it("of unknown length is measured as it comes", async () => {
    const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
    const head = `POST ${configMaps} HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n`;
    expect(await status(head + chunk.repeat(60))).toBe(413);
  });

  it("that is broken, or nests without end, or grows through aliases is a bad request", async () => {
    const json = { "content-type": "application/json" };
    const yaml = { "content-type": "application/yaml" };
    const bodies: [Record<string, string>, string][] = [
      [json, "{"],
      [json, "[]"],
      [json, '"text"'],
      [json, "null"],
      [json, '{"metadata":[]}'],
      [json, '{"metadata":{"name":5}}'],
      [json, '{"metadata":{"name":"a"},"data":{"a":{}}}'],
      [json, "[".repeat(100_000)],
      [json, `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`],
      [yaml, "a: [b"],
      [yaml, "- &a [x]\n".repeat(2)],
      [yaml, laughs()],
    ];
    for (const [headers, body] of bodies) {
      const answer = await served.ask("POST", configMaps, { headers, body });
      expect([400, 422], body.slice(0, 40)).toContain(answer.code);
      expect(answer.body.kind).toBe("Status");
    }
    await isWell();
  });

  it("changes no prototype", async () => {
    const body = '{"metadata":{"name":"proto","labels":{"__proto__":"x"}},"__proto__":{"polluted":1},"data":{"a":"1"}}';
    expect((await served.ask("POST", configMaps, { body })).code).toBe(201);
    const headers = { "content-type": "application/merge-patch+json" };
    const patch = '{"__proto__":{"polluted":1},"metadata":{"__proto__":{"polluted":1}},"data":{"constructor":"x"}}';
    const { body: patched } = await served.ask("PATCH", `${configMaps}/proto`, { headers, body: patch });
    expect(patched.data).toEqual({ a: "1", constructor: "x" });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("with field names that a header can't have still gets its warning", async () => {
    const body = '{"metadata":{"name":"odd"},"bad\\u0001\\r\\nx: y":"1"}';
    const answer = await served.ask("POST", configMaps, { body });
    expect(answer.code).toBe(201);
    expect(answer.headers["warning"]).toContain("unknown field");
  });
});

describe("a path", () => {
  it("with escapes means the same to authorization and to routing", async () => {
    const secret = "/api/v1/namespaces/kube-system/secrets";
    await served.create("/api/v1/namespaces", { metadata: { name: "lab" } });
    const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/lab";
    const rules = [{ apiGroups: [""], resources: ["secrets"], verbs: ["*"] }];
    await served.create(`${rbac}/roles`, { metadata: { name: "own" }, rules });
    await served.create(`${rbac}/rolebindings`, {
      metadata: { name: "own" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "own" },
      subjects: [{ kind: "User", name: "eve", apiGroup: "rbac.authorization.k8s.io" }],
    });
    expect((await served.ask("GET", "/api/v1/namespaces/lab/secrets", { as: "eve" })).code).toBe(200);
    for (const path of [
      secret,
      "/api/v1/namespaces/lab/secrets/../../kube-system/secrets",
      "/api/v1/namespaces/lab%2F..%2Fkube-system/secrets",
      "/api/v1/namespaces/kube-system%2Fsecrets",
      "/api/v1/namespaces/lab/../kube-system/secrets",
      "/api/v1/namespaces/%2e%2e/secrets",
      "//api/v1/namespaces/kube-system/secrets",
      "/api/v1/secrets",
      "/api/v1//namespaces//kube-system//secrets",
      "/api/../k8s-practice/nodes/one/stop",
      "/api/%2e%2e%2fk8s-practice/nodes/one/stop",
    ]) {
      for (const method of ["GET", "POST"]) {
        const answer = await served.ask(method, path, { as: "eve", ...(method === "POST" ? { body: {} } : {}) });
        expect([403, 404, 405], `${method} ${path}`).toContain(answer.code);
      }
    }
  });

  it("that can't be decoded is a bad request", async () => {
    for (const path of ["/%", "/api/v1/%zz", "/api/v1/namespaces/%ff/pods"]) {
      expect((await served.ask("GET", path)).code, path).toBe(400);
    }
  });

  it("may be the whole URL, as proxies send it", async () => {
    expect(await status(`GET https://localhost/readyz HTTP/1.1\r\nhost: a\r\n\r\n`)).toBe(200);
  });
});

describe("a request", () => {
  it("of a method that is not served, or of no protocol, ends without harm", async () => {
    for (const method of ["OPTIONS", "TRACE", "PROPFIND", "PURGE"]) {
      expect([404, 405], method).toContain(await status(`${method} ${configMaps} HTTP/1.1\r\nhost: a\r\n\r\n`));
    }
    expect(await status("NONSENSE / HTTP/1.1\r\n\r\n")).toBe(400);
    expect(await status("\x16\x03\x01 hello\r\n\r\n")).toBe(400);
    await raw("CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n");
    expect(await status("GET / HTTP/1.1\r\nhost: a\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n")).toBe(400);
    await isWell();
  });

  it("with a huge header, or headers without end, is refused", async () => {
    expect(await status(`GET / HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(200_000)}\r\n\r\n`)).toBe(431);
    expect(await raw(`GET / HTTP/1.1\r\n${"a: b\r\n".repeat(50_000)}\r\n`)).toMatch(/^$|431/);
    await isWell();
  });

  it("with two lengths, or a length and chunks, is refused (request smuggling)", async () => {
    const body = `POST ${configMaps} HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n`;
    expect(await status(`${body}content-length: 5\r\n\r\n{}`)).toBe(400);
    expect(await status(`${body}transfer-encoding: chunked\r\n\r\n0\r\n\r\n`)).toBe(400);
  });
});

describe("the server", () => {
  it("speaks TLS 1.2 and later only, and on loopback only", async () => {
    const refused = new Promise((resolve) => {
      connectTls({ host: "127.0.0.1", port, rejectUnauthorized: false, maxVersion: "TLSv1.1", minVersion: "TLSv1" })
        .on("error", () => resolve(true))
        .on("secureConnect", () => resolve(false));
    });
    expect(await refused).toBe(true);
    const { networkInterfaces } = await import("node:os");
    const outside = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    const { connect } = await import("node:net");
    for (const { address } of outside.filter((i) => !i.internal && i.family === "IPv4")) {
      const reached = new Promise((resolve) => {
        const socket = connect({ host: address, port, timeout: 2000 });
        socket
          .on("connect", () => resolve(true))
          .on("error", () => resolve(false))
          .on("timeout", () => resolve(false));
      });
      expect(await reached, address).toBe(false);
    }
  });

  it("takes a certificate of another authority for none", async () => {
    const { loadPki } = await import("../../../../src/embedded/auth/pki.ts");
    const other = await loadPki();
    const certificate = { cert: other.clientCert, key: other.clientKey };
    const answer = await served.ask("GET", configMaps, { certificate });
    expect(answer.code).toBe(403);
    expect(answer.body.message).toContain('User "system:anonymous"');
  });

  it("logs nothing of all this as its own failure", () => {
    expect(log).toEqual([]);
  });
});

/** A YAML document whose aliases stand for ten to the ninth strings. */
function laughs(): string {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let i = 1; i < 9; i++)
    lines.push(
      `a${i}: &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(", ")}]`,
    );
  return lines.join("\n");
}
