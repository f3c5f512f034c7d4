// Stands in for dist/embedded.js: the same arguments, files and endpoints, and no Kubernetes.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";

const option = (name) => process.argv[process.argv.indexOf(name) + 1];
const dir = option("--data-dir");
if (process.env.STAND_IN_FAILS) {
  console.error("the data folder is of a newer version");
  process.exit(1);
}
const read = (file) => readFileSync(`${process.env.STAND_IN_TLS}/${file}`, "utf8");
const ca = read("ca.pem");
const write = (file, text) => {
  writeFileSync(`${dir}/.${file}`, text, { mode: 0o600 });
  renameSync(`${dir}/.${file}`, `${dir}/${file}`);
};
mkdirSync(dir, { recursive: true });
const nodes = JSON.parse(option("--nodes"));
const server = createServer({ cert: ca, key: read("key.pem") }, (request, response) => {
  const answer = (status, body) => response.writeHead(status).end(JSON.stringify(body));
  const action = /^\/k8s-practice\/nodes\/([^/]+)\/(add|stop|start|remove)$/.exec(request.url);
  if (request.url === "/version") answer(200, { gitVersion: "v1.36.2" });
  else if (request.url === "/readyz") answer(200, "ok");
  else if (request.url === "/nodes") answer(200, nodes);
  else if (action !== null && request.method === "POST") {
    const known = nodes.some(({ name }) => name === action[1]);
    if (!known && action[2] !== "add") answer(404, { message: `nodes "${action[1]}" not found` });
    else {
      if (action[2] === "add") nodes.push({ name: action[1] });
      answer(200, {});
    }
  } else answer(404, {});
});
server.listen(Number(option("--port")), "127.0.0.1", () => {
  const { port } = server.address();
  const url = `https://127.0.0.1:${port}`;
  const name = "k8s-practice-embedded";
  write(
    "kubeconfig",
    `apiVersion: v1
kind: Config
clusters: [{name: ${name}, cluster: {server: "${url}", certificate-authority-data: ${Buffer.from(ca).toString("base64")}}}]
users: [{name: ${name}, user: {token: secret}}]
contexts: [{name: ${name}, context: {cluster: ${name}, user: ${name}}}]
`,
  );
  write("process.json", JSON.stringify({ pid: process.pid, port, url }));
});
server.on("error", (error) => {
  console.error(error.message);
  process.exit(98);
});
process.on("SIGTERM", () => {
  if (process.env.STAND_IN_STUBBORN) return;
  rmSync(`${dir}/process.json`, { force: true });
  process.exit(0);
});
