// npm run bench: the budgets of the design, each measured against `node -e 0` in this same run, so that the numbers
// mean the same on a slow machine. Prints a table; exits with 1 when a budget is missed.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const desk = mkdtempSync(join(tmpdir(), "k8s-practice-bench-"));
const env = { ...process.env, K8S_PRACTICE_HOME: join(desk, "home"), KUBECONFIG: join(desk, "kubeconfig"), HOME: desk };
const run = (...args) => [join(root, "run"), ...args];

function once([program, ...args]) {
  const began = performance.now();
  const { status, stderr } = spawnSync(program, args, { env, cwd: desk, encoding: "utf8" });
  return { milliseconds: performance.now() - began, status, stderr };
}

/** The middle one of several measurements, in milliseconds. */
function median(command, { times = 7, expected = 0, before = () => {} } = {}) {
  const results = [];
  for (let i = 0; i < times; i++) {
    before();
    const { milliseconds, status, stderr } = once(command);
    if (status !== expected) throw new Error(`${command.join(" ")}: exit ${status}, not ${expected}\n${stderr}`);
    results.push(milliseconds);
  }
  return results.sort((a, b) => a - b)[Math.floor(times / 2)];
}

const rows = [];
const add = (what, measured, budget, unit = "ms") => rows.push({ what, measured, budget, unit });

try {
  once(run("--version"));
  const node = median(["node", "-e", "0"]);
  add("node -e 0", node, undefined);
  add("./run --help", median(run("--help")), 3 * node);
  add("./run list", median(run("list")), undefined);

  const embedded = ["--cluster", "embedded"];
  const down = () => once(run("cluster", "down", ...embedded));
  add(
    "./run start k8s-daemonset, embedded, cold",
    median(run("start", "k8s-daemonset", ...embedded, "--restart"), { times: 3, before: down }),
    1500,
  );
  add("./run verify, wrong and settled", median(run("verify"), { expected: 1 }), 500);
  const kubectl = spawnSync("kubectl", ["patch", "daemonset", "node-agent", "-p", '{"spec":{"replicas":5}}'], { env });
  if (kubectl.status === 0) {
    once(run("verify"));
    add("./run verify, state already right", median(run("verify", "--step", "1")), 500);
  }
  const { pid } = JSON.parse(readFileSync(join(env.K8S_PRACTICE_HOME, "clusters/embedded/data/process.json"), "utf8"));
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  if (resident) add("embedded cluster, idle with one task", Number(resident) / 1024, 150, "MB");
  down();

  const base = rows[0].measured;
  console.log(`${"what".padEnd(46)}${"measured".padStart(12)}${"budget".padStart(12)}${"× node -e 0".padStart(14)}`);
  for (const { what, measured, budget, unit } of rows) {
    const late = budget !== undefined && measured > budget;
    const ratio = unit === "ms" ? (measured / base).toFixed(1) : "";
    const limit = budget === undefined ? "" : `${Math.round(budget)} ${unit}`;
    console.log(
      `${what.padEnd(46)}${`${Math.round(measured)} ${unit}`.padStart(12)}${limit.padStart(12)}${ratio.padStart(14)}${late ? "  OVER" : ""}`,
    );
    if (late) process.exitCode = 1;
  }
} finally {
  rmSync(desk, { recursive: true, force: true });
}
