// A developer's embedded cluster with the nodes of test/conformance/nodes.yaml, in the foreground until Ctrl-C:
//   node scripts/lab-cluster.mjs DIR     then KUBECONFIG=DIR/kubeconfig test/conformance/replay
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const nodes = ["lab-control-plane", "lab-worker", "lab-worker2"].map((name) => ({
  name,
  controlPlane: name === "lab-control-plane",
}));
const child = spawn(
  process.execPath,
  [
    `${root}dist/embedded.js`,
    "--data-dir",
    process.argv[2] ?? ".cache/lab",
    "--port",
    "0",
    "--nodes",
    JSON.stringify(nodes),
  ],
  { stdio: "inherit" },
);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
