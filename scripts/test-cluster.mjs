// Runs the task tests (solutions pass, wrong attempts are rejected) against a cluster:
//   npm run test:cluster -- --cluster embedded|kind|context:NAME [--task NAME] [--keep]
import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({
  options: {
    cluster: { type: "string", default: "embedded" },
    task: { type: "string" },
    keep: { type: "boolean", default: false },
  },
});
execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: root, stdio: "inherit" });
const env = { ...process.env, K8S_PRACTICE_TEST_CLUSTER: values.cluster };
if (values.task !== undefined) env.K8S_PRACTICE_TEST_TASK = values.task;
if (values.keep) env.K8S_PRACTICE_TEST_KEEP = "1";
// A kubectl of the right minor where we can have one; elsewhere the machine's own.
if (process.platform === "linux" && process.arch === "x64") {
  const fetched = execFileSync(process.execPath, ["scripts/fetch-kubectl.mjs"], { cwd: root, encoding: "utf8" });
  env.K8S_PRACTICE_TEST_KUBECTL = fetched.trim();
}
const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.cluster.config.ts"];
process.exit(spawnSync(process.execPath, vitest, { cwd: root, env, stdio: "inherit" }).status ?? 1);
