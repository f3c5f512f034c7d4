import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EmbeddedCluster, startEmbeddedCluster } from "../../src/embedded/cluster.ts";
import { kubectlFolder } from "../e2e/workplace.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const cases = readdirSync(join(here, "cases"))
  .map((file) => file.replace(/\.sh$/, ""))
  .sort();

/** Sessions recorded on a real Kubernetes 1.36 control plane: kubectl must print the same here. */
describe("what kubectl prints is what it prints against Kubernetes", () => {
  let cluster: EmbeddedCluster;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "k8s-practice-conformance-"));
    const names = ["lab-control-plane", "lab-worker", "lab-worker2"];
    cluster = await startEmbeddedCluster({ nodes: names.map((name) => ({ name, controlPlane: name === names[0] })) });
    writeFileSync(join(folder, "kubeconfig"), cluster.kubeconfig, { mode: 0o600 });
  });
  afterAll(async () => {
    await cluster?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  // One after the other: they share the nodes and the namespace `lab`.
  test.sequential.each(cases)("%s", { timeout: 120_000 }, async (name) => {
    const { stdout } = await execa("bash", [join(here, "replay"), name], {
      env: {
        KUBECONFIG: join(folder, "kubeconfig"),
        KUBECTL: join(kubectlFolder(), "kubectl"),
        HOME: folder,
        LC_ALL: "C",
      },
      reject: false,
      stdin: "ignore",
    });
    expect(stdout).toBe(`same     ${name}`);
  });
});
