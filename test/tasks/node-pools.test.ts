import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KubeClient, readCredentials } from "../../src/client/index.ts";
import type { ClusterShape } from "../../src/clusters/provider.ts";
import { type EmbeddedCluster, startEmbeddedCluster } from "../../src/embedded/cluster.ts";
import { applyShape, changesNodes, readNodes, undoNodeChanges } from "../../src/tasks/node-changes.ts";
import type { Task } from "../../src/tasks/task.ts";

const pools: ClusterShape["pools"] = [
  { workers: 2, labels: { pool: "general" } },
  { workers: 1, labels: { pool: "gpu" }, taints: [{ key: "dedicated", value: "gpu", effect: "NoSchedule" }] },
];
const task = { name: "t", shape: { controlPlanes: 1, workers: 3, pools } } as Task;
const { signal } = new AbortController();

let cluster: EmbeddedCluster;
let client: KubeClient;
let folder: string;

beforeEach(async () => {
  const workers = ["w10", "w1", "w2", "w11"].map((name) => ({ name, controlPlane: false }));
  cluster = await startEmbeddedCluster({ nodes: [{ name: "cp", controlPlane: true }, ...workers] });
  folder = await mkdtemp(join(tmpdir(), "k8s-practice-pools-"));
  await writeFile(join(folder, "kubeconfig"), cluster.kubeconfig);
  client = new KubeClient(await readCredentials(join(folder, "kubeconfig"), "k8s-practice-embedded"));
});
afterEach(async () => {
  client.close();
  await cluster.close();
  await rm(folder, { recursive: true, force: true });
});

async function poolOf(): Promise<Record<string, string | undefined>> {
  return Object.fromEntries((await readNodes(client, signal)).map(({ name, labels }) => [name, labels["pool"]]));
}
const tainted = async () =>
  (await readNodes(client, signal)).filter((n) => n.taints.some((t) => t.key === "dedicated")).map((n) => n.name);

describe("pools of a task's cluster", () => {
  it("take the workers in the order of their numbers, and leave the others and the control plane alone", async () => {
    expect(changesNodes(task)).toBe(true);
    await applyShape(client, task, await readNodes(client, signal), signal);
    const none = undefined;
    expect(await poolOf()).toEqual({ cp: none, w1: "general", w2: "general", w10: "gpu", w11: none });
    expect(await tainted()).toEqual(["w10"]);
  });

  it("put back what was taken away when applied again", async () => {
    const before = await readNodes(client, signal);
    await applyShape(client, task, before, signal);
    await undoNodeChanges(client, before, { signal });
    await applyShape(client, task, await readNodes(client, signal), signal);
    expect(await tainted()).toEqual(["w10"]);
  });

  it.each([
    ["on a cluster of ours", undefined],
    ["on a cluster that others use too", task],
  ])("are undone by stop, %s", async (_, only) => {
    const before = await readNodes(client, signal);
    await applyShape(client, task, before, signal);
    const { changed } = await undoNodeChanges(client, before, { signal, only });
    expect(changed.sort()).toEqual(["w1", "w10", "w2"]);
    expect(await readNodes(client, signal)).toEqual(before);
  });
});
