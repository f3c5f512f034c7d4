// npm run bench:scale: the embedded cluster at the size of issue budgets. A DaemonSet over 500 nodes, from its creation
// until every Pod is bound; then 1,000 nodes and 5,000 Pods, a Table list of all Pods, and memory. Each is shown beside
// its budget and as a multiple of `node -e 0` in this run; exits with 1 when a budget is missed.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const root = fileURLToPath(new URL("../..", import.meta.url));
const desk = mkdtempSync(join(tmpdir(), "k8s-practice-bench-scale-"));
const rows = [];
const add = (what, value, budget, unit) => rows.push({ what, value, budget, unit });

async function cluster(name, nodeCount) {
  const dir = join(desk, name);
  const nodes = Array.from({ length: nodeCount }, (_, i) => ({
    name: `node-${String(i).padStart(4, "0")}`,
    controlPlane: false,
  }));
  const child = spawn(
    process.execPath,
    [join(root, "dist/embedded.js"), "--data-dir", dir, "--nodes", JSON.stringify(nodes)],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  while (!existsSync(join(dir, "process.json"))) await delay(20);
  const config = parse(readFileSync(join(dir, "kubeconfig"), "utf8"));
  const pem = (data) => Buffer.from(data, "base64");
  const tls = {
    ca: pem(config.clusters[0].cluster["certificate-authority-data"]),
    cert: pem(config.users[0].user["client-certificate-data"]),
    key: pem(config.users[0].user["client-key-data"]),
  };
  const call = (method, path, body, accept = "application/json", raw = false) =>
    new Promise((resolve, reject) => {
      const outgoing = request(
        `${config.clusters[0].cluster.server}${path}`,
        { method, ...tls, headers: { accept, "content-type": "application/json" } },
        (answer) => {
          const chunks = [];
          answer.on("data", (chunk) => chunks.push(chunk));
          answer.on("end", () => resolve(raw ? Buffer.concat(chunks) : JSON.parse(Buffer.concat(chunks))));
        },
      );
      outgoing.on("error", reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))[1]) / 1024;
  const end = () => new Promise((resolve) => child.once("exit", resolve).kill());
  const ready = async () =>
    (await call("GET", "/api/v1/nodes")).items.filter((n) =>
      n.status.conditions?.some((c) => c.type === "Ready" && c.status === "True"),
    ).length;
  while ((await ready()) < nodeCount) await delay(50);
  while ((await call("GET", "/api/v1/namespaces/default/serviceaccounts/default")).code === 404) await delay(20);
  return { call, memory, end };
}

const template = (app) => ({
  metadata: { labels: { app } },
  spec: {
    containers: [
      { name: "agent", image: "busybox:1.36", command: ["sleep", "infinity"], resources: { requests: { cpu: "1m" } } },
    ],
  },
});
const daemonSet = (name) => ({
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  metadata: { name },
  spec: { selector: { matchLabels: { app: name } }, template: template(name) },
});

async function until(began, holds) {
  while (!(await holds())) await delay(25);
  return (performance.now() - began) / 1000;
}

try {
  const began = performance.now();
  for (let i = 0; i < 5; i += 1) spawnSync("node", ["-e", "0"]);
  const node = (performance.now() - began) / 5000;

  const small = await cluster("daemons", 500);
  const from = performance.now();
  await small.call("POST", "/apis/apps/v1/namespaces/default/daemonsets", daemonSet("agent"));
  const bound = await until(
    from,
    async () =>
      (await small.call("GET", "/api/v1/namespaces/default/pods")).items.filter((p) => p.spec.nodeName).length === 500,
  );
  add("DaemonSet over 500 nodes, created to all bound", bound, 3, "s");
  const ready = await until(
    from,
    async () =>
      (await small.call("GET", "/apis/apps/v1/namespaces/default/daemonsets/agent")).status.numberReady === 500,
  );
  add("  … and all Ready", ready, undefined, "s");
  add("  memory", small.memory(), undefined, "MB");
  await small.end();

  const large = await cluster("large", 1000);
  const start = performance.now();
  for (let i = 0; i < 5; i += 1)
    await large.call("POST", "/apis/apps/v1/namespaces/default/daemonsets", daemonSet(`agent-${i}`));
  const running = await until(start, async () => {
    const sets = (await large.call("GET", "/apis/apps/v1/namespaces/default/daemonsets")).items;
    return sets.every((ds) => ds.status.numberReady === 1000);
  });
  add("1,000 nodes: 5,000 Pods created to all Ready", running, undefined, "s");
  const times = [];
  for (let i = 0; i < 5; i += 1) {
    const from = performance.now();
    const bytes = await large.call(
      "GET",
      "/api/v1/pods",
      undefined,
      "application/json;as=Table;v=v1;g=meta.k8s.io",
      true,
    );

    times.push((performance.now() - from) / 1000);
    const table = JSON.parse(bytes);
    if (table.rows.length !== 5000) throw new Error(`${table.rows.length} rows`);
  }
  add("  list of 5,000 Pods as a Table", times.sort((a, b) => a - b)[2], 0.3, "s");
  add("  memory", large.memory(), undefined, "MB");
  await large.end();

  for (const { what, value, budget, unit } of rows) {
    const multiple = unit === "s" ? `${(value / node).toFixed(1)} × node` : "";
    const limit = budget === undefined ? "" : `budget ${budget} ${unit} ${value <= budget ? "✔" : "✘"}`;
    console.log(
      `${what.padEnd(50)} ${value.toFixed(2).padStart(8)} ${unit.padEnd(3)} ${multiple.padStart(14)}  ${limit}`,
    );
  }
} finally {
  rmSync(desk, { recursive: true, force: true });
}
process.exit(rows.some(({ value, budget }) => budget !== undefined && value > budget) ? 1 : 0);
