import { connect as connectHttp2, constants } from "node:http2";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ServedCluster, servedCluster } from "../../fixture/served-cluster.ts";

const seed = Number(process.env["FUZZ_SEED"] ?? 20261201);
const rounds = Number(process.env["FUZZ_ROUNDS"] ?? 1000);
let served: ServedCluster;
const log: string[] = [];

beforeAll(async () => {
  served = await servedCluster({ log: (line) => log.push(line), nodes: [{ name: "one", controlPlane: false }] });
  await served.create("/api/v1/namespaces", { metadata: { name: "lab" } });
});
afterAll(() => served.close());

/** Repeatable chance (mulberry32). */
function chance(start: number) {
  let state = start;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  return { next, pick };
}

const methods = ["GET", "GET", "POST", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const segments = [
  ...["api", "v1", "apis", "apps", "namespaces", "lab", "default", "pods", "daemonsets", "deployments", "status"],
  ...["scale", "eviction", "binding", "token", "log", "exec", "nodes", "one", "configmaps", "a", "..", ".", "%00"],
  ...["%2e%2e", "%2F", "", "rbac.authorization.k8s.io", "clusterroles", "jobs", "batch", "secrets", "serviceaccounts"],
  ...["services", "finalize", "openapi", "v3", "watch", "events", "customresourcedefinitions", "proto", "__proto__"],
];
const collections = [
  "/api/v1/namespaces/lab/pods",
  "/api/v1/namespaces/lab/configmaps",
  "/api/v1/namespaces/lab/services",
  "/api/v1/namespaces/lab/secrets",
  "/api/v1/nodes",
  "/apis/apps/v1/namespaces/lab/daemonsets",
  "/apis/apps/v1/namespaces/lab/deployments",
  "/apis/apps/v1/namespaces/lab/statefulsets",
  "/apis/batch/v1/namespaces/lab/jobs",
  "/apis/batch/v1/namespaces/lab/cronjobs",
  "/apis/policy/v1/namespaces/lab/poddisruptionbudgets",
  "/apis/networking.k8s.io/v1/namespaces/lab/networkpolicies",
  "/apis/rbac.authorization.k8s.io/v1/clusterroles",
  "/apis/rbac.authorization.k8s.io/v1/namespaces/lab/rolebindings",
  "/apis/certificates.k8s.io/v1/certificatesigningrequests",
  "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
  "/apis/authentication.k8s.io/v1/tokenreviews",
  "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
  "/apis/autoscaling/v2/namespaces/lab/horizontalpodautoscalers",
];
const types = [
  "application/json",
  "application/json",
  "application/yaml",
  "application/merge-patch+json",
  "application/json-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
  "application/vnd.kubernetes.protobuf",
  "text/plain",
];
const keys = [
  ...["metadata", "name", "namespace", "labels", "annotations", "spec", "template", "containers", "image", "selector"],
  ...[
    "matchLabels",
    "matchExpressions",
    "key",
    "operator",
    "values",
    "replicas",
    "rules",
    "verbs",
    "subjects",
    "status",
  ],
  ...["conditions", "type", "ports", "port", "volumes", "affinity", "tolerations", "updateStrategy", "rollingUpdate"],
  ...[
    "maxUnavailable",
    "ownerReferences",
    "finalizers",
    "managedFields",
    "resourceVersion",
    "uid",
    "op",
    "path",
    "value",
  ],
  ...[
    "roleRef",
    "data",
    "schedule",
    "jobTemplate",
    "request",
    "signerName",
    "versions",
    "schema",
    "names",
    "group",
    "$patch",
  ],
];
const scalars = [
  null,
  true,
  0,
  -1,
  1e308,
  2 ** 53,
  "",
  "a",
  "lab",
  "10%",
  "/",
  "../x",
  "*",
  "0",
  "\u0000",
  "💥",
  "x".repeat(300),
];

it(`lives through ${rounds} requests made by chance, and its store stays whole (seed ${seed})`, async () => {
  const { next, pick } = chance(seed);
  const value = (depth: number): unknown => {
    const roll = next();
    if (depth > 5 || roll < 0.35) return pick(scalars);
    if (roll < 0.5) return Array.from({ length: Math.floor(next() * 4) }, () => value(depth + 1));
    return Object.fromEntries(Array.from({ length: Math.floor(next() * 6) }, () => [pick(keys), value(depth + 1)]));
  };
  const pod = () => ({
    metadata: { labels: { app: "a" } },
    spec: { containers: [{ name: "a", image: "busybox", ...(next() < 0.3 ? (value(4) as object) : {}) }] },
  });
  /** Mostly right, so that it gets past the decoder. */
  const likely = () => ({
    metadata: { name: `f${Math.floor(next() * 20)}`, ...(next() < 0.2 ? (value(3) as object) : {}) },
    spec: { selector: { matchLabels: { app: "a" } }, template: pod(), ...pod().spec, [pick(keys)]: value(2) },
    [pick(keys)]: value(2),
  });
  const body = (): string => {
    const roll = next();
    if (roll < 0.1) return Array.from({ length: 40 }, () => String.fromCharCode(next() * 256)).join("");
    const text = JSON.stringify(roll < 0.6 ? likely() : value(0)) ?? "";
    return roll > 0.95 ? text.slice(0, next() * text.length) : text;
  };
  const path = (): string => {
    if (next() < 0.3) return `/${Array.from({ length: Math.floor(next() * 8) }, () => pick(segments)).join("/")}`;
    const named = next() < 0.5 ? `/f${Math.floor(next() * 20)}` : "";
    return pick(collections) + named + (named && next() < 0.3 ? `/${pick(segments)}` : "");
  };
  const query = (): string => {
    const name = [
      "labelSelector",
      "fieldSelector",
      "limit",
      "continue",
      "resourceVersion",
      "dryRun",
      "fieldManager",
      "force",
    ];
    const all = [...name, "propagationPolicy", "gracePeriodSeconds", "fieldValidation", "includeObject", "pretty"];
    const text = [
      "a",
      "a in (b",
      "=",
      "metadata.name=x",
      "-1",
      "99999999999",
      "All",
      "true",
      "%",
      "Foreground",
      "Strict",
      "",
    ];
    const count = Math.floor(next() * 3);
    return count === 0
      ? ""
      : `?${Array.from({ length: count }, () => `${pick(all)}=${encodeURIComponent(pick(text))}`).join("&")}`;
  };

  const session = connectHttp2(served.cluster.url, { ca: served.ca, ...served.admin });
  const failures: string[] = [];
  session.on("error", (error) => failures.push(String(error)));
  const send = () =>
    new Promise<void>((resolve) => {
      const [method, target] = [pick(methods), path() + query()];
      const withBody = ["POST", "PUT", "PATCH"].includes(method) || (method === "DELETE" && next() < 0.3);
      const accept = pick(["application/json", "*/*", "application/json;as=Table;g=meta.k8s.io;v=v1", "text/html", ""]);
      const stream = session.request(
        {
          ":method": method,
          ":path": target,
          "content-type": pick(types),
          ...(accept === "" ? {} : { accept }),
        },
        { endStream: false },
      );
      const sent = withBody ? body() : undefined;
      stream.once("response", (headers) => {
        const code = headers[":status"] ?? 0;
        // 504 is what a resourceVersion of the future gets.
        if (code >= 500 && code !== 504) failures.push(`${code} ${method} ${target} ${sent}`);
      });
      stream.on("error", (error) => failures.push(`${error}: ${method} ${target} ${sent}`));
      stream.resume().once("close", resolve);
      stream.setTimeout(5000, () => {
        failures.push(`no answer: ${method} ${target} ${sent}`);
        stream.close(constants.NGHTTP2_CANCEL);
      });
      stream.end(sent);
    });
  for (let i = 0; i < rounds; i++) await send();
  session.destroy();

  expect(failures).toEqual([]);
  expect(log).toEqual([]);
  for (const collection of collections.filter((c) => !/reviews$/.test(c))) {
    const { code, body: list } = await served.ask("GET", collection);
    expect(code, collection).toBe(200);
    for (const { metadata } of list.items) {
      expect(metadata, collection).toMatchObject({ name: expect.any(String), uid: expect.any(String) });
      expect((await served.ask("GET", `${collection}/${metadata.name}`)).code, `${collection}/${metadata.name}`).toBe(
        200,
      );
    }
  }
}, 60_000);
