import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kubectlTarget, pointKubectl, restoreKubectl } from "../../../src/clusters/index.ts";

// A kubectl can be had only for this platform (scripts/fetch-kubectl.mjs).
const available = process.platform === "linux" && process.arch === "x64";
let folder: string;
let kubectl: (...args: string[]) => Promise<string>;
let cluster: { kubeconfigPath: string; context: string };
let options: { home: string; env: NodeJS.ProcessEnv; namespace: string };

describe.runIf(available)("kubectl and we, in one kubeconfig", () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "with-kubectl-"));
    const script = fileURLToPath(new URL("../../../scripts/fetch-kubectl.mjs", import.meta.url));
    const bin = execFileSync(process.execPath, [script], { encoding: "utf8" }).trim();
    const env = { HOME: folder, KUBECONFIG: join(folder, "config") };
    kubectl = async (...args) => (await promisify(execFile)(join(bin, "kubectl"), args, { env })).stdout.trim();
    cluster = { kubeconfigPath: join(folder, "own"), context: "k8s-practice-embedded" };
    options = { home: join(folder, "home"), env, namespace: "lab" };
    const name = cluster.context;
    await writeFile(
      cluster.kubeconfigPath,
      `clusters: [{name: ${name}, cluster: {server: "https://127.0.0.1:4321", insecure-skip-tls-verify: true}}]
users: [{name: ${name}, user: {token: "0123"}}]
contexts: [{name: ${name}, context: {cluster: ${name}, user: ${name}}}]
`,
    );
    await kubectl("config", "set-cluster", "office", "--server=https://10.0.0.1");
    await kubectl("config", "set-context", "office", "--cluster=office");
    await kubectl("config", "use-context", "office");
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true }));

  it("agree on where kubectl points", async () => {
    await pointKubectl(cluster, options);
    expect(await kubectl("config", "current-context")).toBe(cluster.context);
    const view = JSON.parse(await kubectl("config", "view", "--raw", "--minify", "-o", "json"));
    expect(view.contexts[0].context.namespace).toBe("lab");
    expect(view.clusters[0].cluster).toEqual({ server: "https://127.0.0.1:4321", "insecure-skip-tls-verify": true });
    expect(view.users[0].user).toEqual({ token: "0123" });
    await kubectl("config", "use-context", "office");
    expect(await kubectlTarget(cluster, options)).toMatchObject({ pointsHere: false, context: "office" });
  });

  it("lose nothing of each other's when both write at the same time", async () => {
    const names = Array.from({ length: 6 }, (_, index) => `other-${index}`);
    const retried = async (name: string): Promise<void> => {
      // kubectl gives up at once when the lock is taken.
      await kubectl("config", "set-context", name, "--cluster=office").catch(() => retried(name));
    };
    // One kubectl at a time: it reads before it locks, so that two of them can undo each other's additions.
    const oneByOne = async () => {
      for (const name of names) await retried(name);
    };
    await Promise.all([
      oneByOne(),
      ...names.map((_, index) => pointKubectl(cluster, { ...options, namespace: `lab-${index}` })),
    ]);
    const contexts = (await kubectl("config", "get-contexts", "-o", "name")).split("\n");
    expect(contexts.sort()).toEqual([cluster.context, "office", ...names].sort());
  });

  it("leave kubectl where it was before", async () => {
    await restoreKubectl(cluster.context, options);
    expect(await kubectl("config", "current-context")).toBe("office");
    expect(await kubectl("config", "get-users")).not.toContain("k8s-practice");
  });
});
