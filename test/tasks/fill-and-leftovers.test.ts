import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KubeClient, readCredentials } from "../../src/client/index.ts";
import { type EmbeddedCluster, startEmbeddedCluster } from "../../src/embedded/cluster.ts";
import { loadTranslator } from "../../src/messages/translator.ts";
import { removeObjects } from "../../src/tasks/remove-objects.ts";
import { applyStartState } from "../../src/tasks/start-state.ts";
import type { Task } from "../../src/tasks/task.ts";

const { signal } = new AbortController();
const say = await loadTranslator("en");

let cluster: EmbeddedCluster;
let client: KubeClient;
let folder: string;
let task: Task;

beforeEach(async () => {
  const capacity = { cpu: "8" };
  cluster = await startEmbeddedCluster({
    nodes: [
      { name: "cp", controlPlane: true },
      { name: "small", controlPlane: false },
      { name: "large", controlPlane: false, capacity, labels: { size: "large" } },
    ],
  });
  folder = await mkdtemp(join(tmpdir(), "k8s-practice-fill-"));
  await writeFile(join(folder, "kubeconfig"), cluster.kubeconfig);
  await mkdir(join(folder, "start"));
  client = new KubeClient(await readCredentials(join(folder, "kubeconfig"), "k8s-practice-embedded"));
  const leftovers = [{ apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", name: "made-on-the-way" }];
  task = { name: "t", folder, spec: { namespace: "t", leftovers } } as unknown as Task;
});
afterEach(async () => {
  client.close();
  await cluster.close();
  await rm(folder, { recursive: true, force: true });
});

const start = (share: string, selector = "size: large") =>
  writeFile(
    join(folder, "start/filler.yaml"),
    `apiVersion: apps/v1
kind: Deployment
metadata: {name: filler, annotations: {k8s-practice/cpu-share: "${share}"}}
spec:
  selector: {matchLabels: {app: filler}}
  template:
    metadata: {labels: {app: filler}}
    spec:
      nodeSelector: {${selector}}
      containers: [{name: a, image: "busybox:1.36", resources: {requests: {memory: 16Mi}}}]
`,
  );
const requests = async () => {
  const found = await client.call<{
    spec: { template: { spec: { containers: { resources: { requests: object } }[] } } };
  }>({ path: "/apis/apps/v1/namespaces/t/deployments/filler", signal });
  return found.spec.template.spec.containers[0]!.resources.requests;
};
const createClass = (name: string) =>
  client.call({
    method: "POST",
    path: "/apis/scheduling.k8s.io/v1/priorityclasses",
    body: { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name }, value: 1 },
    signal,
  });
const classes = async () => {
  const { items } = await client.call<{ items: { metadata: { name: string } }[] }>({
    path: "/apis/scheduling.k8s.io/v1/priorityclasses",
    signal,
  });
  return items.map(({ metadata }) => metadata.name).filter((name) => !name.startsWith("system-"));
};

describe("a share of a node's CPU in a start state", () => {
  it("becomes a request that fits the node it is for, and keeps the other requests", async () => {
    await start("0.5");
    await applyStartState(client, task, { say, signal });
    expect(await requests()).toEqual({ cpu: "3990m", memory: "16Mi" });
  });

  it("is the same when applied again, for the task's own Pods don't count", async () => {
    await start("1");
    await applyStartState(client, task, { say, signal });
    await applyStartState(client, task, { say, signal });
    expect(await requests()).toEqual({ cpu: "7980m", memory: "16Mi" });
  });

  it.each([
    ["2", "size: large"],
    ["half", "size: large"],
    ["0.5", "size: none"],
  ])("is refused as %s of the nodes with %s", async (share, selector) => {
    await start(share, selector);
    await expect(applyStartState(client, task, { say, signal })).rejects.toMatchObject({
      options: { details: [expect.stringMatching(/filler\.yaml:1:1: Deployment filler: the CPU share/)] },
    });
  });
});

describe("what a learner made outside the namespace", () => {
  it("goes with the task when the task names it", async () => {
    await applyStartState(client, task, { say, signal });
    await createClass("made-on-the-way");
    await createClass("of-others");
    await removeObjects(client, task, { say, signal });
    expect(await classes()).toEqual(["of-others"]);
  });

  it("stays when there is no namespace of the task to compare its age with", async () => {
    await createClass("made-on-the-way");
    await removeObjects(client, task, { say, signal });
    expect(await classes()).toEqual(["made-on-the-way"]);
  });
});
