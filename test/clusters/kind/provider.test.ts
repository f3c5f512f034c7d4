import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { kindProvider } from "../../../src/clusters/kind/provider.ts";
import type { ClusterProvider } from "../../../src/clusters/provider.ts";
import { type Machine, machine } from "./stand-in/machine.ts";

const SHAPE = { controlPlanes: 1, workers: 2 };
const NODES = ["k8s-practice-control-plane", "k8s-practice-worker", "k8s-practice-worker2"];
let here: Machine;
let provider: ClusterProvider;

beforeEach(async () => {
  here = await machine();
  provider = kindProvider(here);
});
afterEach(() => here.remove());

const up = (options = {}, shape: Parameters<ClusterProvider["up"]>[0] = SHAPE) =>
  provider.up(shape, here.progress, options);
const commands = async () =>
  (await here.calls()).map(({ program, args }) => `${program} ${args.slice(0, 2).join(" ")}`);
const names = async () => (await here.state()).containers.map(({ name }) => name);
const stateFile = () => join(here.home, "clusters/kind/state.json");

describe("the first creation", () => {
  it("makes one control plane and two workers, and marks the cluster as ours", async () => {
    const cluster = await up();
    expect(cluster).toMatchObject({ id: "kind", context: "kind-k8s-practice", owned: true, version: "v1.36.4" });
    expect(await names()).toEqual(NODES);
    const state = JSON.parse(await readFile(stateFile(), "utf8"));
    expect(here.api.marker).toBe(state.id);
    expect(state).toMatchObject({ phase: "ready", image: expect.stringContaining("kindest/node:v1.36.4@sha256:") });
  });

  it("asks the engine before it does anything", async () => {
    await up();
    expect((await commands())[0]).toBe("docker info --format");
  });

  it("tells of each phase in order", async () => {
    await up();
    expect(here.phases.filter((key) => key.startsWith("clusters.kind.phase"))).toEqual([
      "clusters.kind.phase.engine",
      "clusters.kind.phase.image",
      "clusters.kind.phase.nodes",
      "clusters.kind.phase.configuration",
      "clusters.kind.phase.control-plane",
      "clusters.kind.phase.network",
      "clusters.kind.phase.storage",
      "clusters.kind.phase.workers",
    ]);
    expect(here.phases).toContain("clusters.image.pulling");
  });

  it("keeps what kind said in the log file", async () => {
    await up();
    expect(await readFile(join(here.home, "clusters/kind/kind.log"), "utf8")).toContain("Starting control-plane");
  });

  it("touches no kubeconfig but its own", async () => {
    await up();
    await expect(stat(join(here.env["HOME"]!, ".kube"))).rejects.toThrow();
  });

  it("waits until every node is Ready", async () => {
    here.api.notReady.add("k8s-practice-worker2");
    const making = up();
    await expect.poll(() => here.phases.includes("clusters.kind.phase.ready"), { timeout: 10_000 }).toBe(true);
    here.api.notReady.clear();
    expect((await making).id).toBe("kind");
  });

  it("gives the nodes the shape's labels and taints", async () => {
    const taint = { key: "gpu", effect: "NoSchedule" } as const;
    await up({}, { ...SHAPE, nodes: { worker: { labels: { disk: "ssd" }, taints: [taint] } } });
    const patches = here.api.requests.filter(({ method }) => method === "PATCH");
    expect(patches.map(({ path }) => path)).toEqual(NODES.slice(1).map((name) => `/api/v1/nodes/${name}`));
    expect(patches[0]!.body).toEqual({ metadata: { labels: { disk: "ssd" } }, spec: { taints: [taint] } });
  });

  it("goes on with the wait when that was interrupted", async () => {
    here.api.notReady.add("k8s-practice-worker2");
    const interrupt = new AbortController();
    const making = up({ signal: interrupt.signal });
    making.catch(() => {});
    await expect.poll(() => here.phases.includes("clusters.kind.phase.ready"), { timeout: 10_000 }).toBe(true);
    interrupt.abort();
    await expect(making).rejects.toThrow();
    here.api.notReady.clear();
    await up();
    expect((await commands()).filter((line) => line === "kind create cluster")).toHaveLength(1);
    expect(await provider.find()).toMatchObject({ id: "kind" });
  });

  it("asks again when the API server says not now", async () => {
    here.api.busy = 3;
    expect((await up()).id).toBe("kind");
    expect(here.api.busy).toBe(0);
  });

  it("takes the node image that the learner names", async () => {
    const image = "example/node:v1.36.9";
    await here.set({ override: image });
    provider = kindProvider({ home: here.home, env: { ...here.env, K8S_PRACTICE_NODE_IMAGE: image } });
    await up();
    expect((await here.state()).containers[0]!.image).toBe(image);
  });

  it("takes the node image an older kind can start", async () => {
    await here.set({ kindVersion: "0.31.0" });
    await up();
    expect((await here.state()).containers[0]!.image).toContain("kindest/node:v1.35.0@");
  });

  it("says so when kind is too old for all of them", async () => {
    await here.set({ kindVersion: "0.24.0" });
    await expect(up()).rejects.toMatchObject({ text: { key: "clusters.kind.too-old", values: { version: "0.24" } } });
  });

  it("is made once by two commands at the same time", async () => {
    const [first, second] = await Promise.all([up(), kindProvider(here).up(SHAPE, here.progress)]);
    expect(first.context).toBe(second.context);
    expect((await commands()).filter((line) => line === "kind create cluster")).toHaveLength(1);
  });

  it("goes through podman, and tells kind so", async () => {
    await here.remove();
    here = await machine(["kind", "podman"]);
    provider = kindProvider(here);
    await up();
    const create = (await here.calls()).find(({ args }) => args[0] === "create");
    expect(create?.provider).toBe("podman");
  });

  it("goes through the engine KIND_EXPERIMENTAL_PROVIDER names", async () => {
    await here.remove();
    here = await machine(["kind", "docker", "podman"]);
    provider = kindProvider({ home: here.home, env: { ...here.env, KIND_EXPERIMENTAL_PROVIDER: "podman" } });
    await up();
    expect((await here.calls()).some(({ program }) => program === "docker")).toBe(false);
  });
});

describe("a cluster that is there", () => {
  it("is used as it is", async () => {
    await up();
    await up();
    expect((await commands()).filter((line) => line === "kind create cluster")).toHaveLength(1);
  });

  it("is found with one request", async () => {
    await up();
    here.api.requests.length = 0;
    expect(await provider.find()).toMatchObject({ id: "kind", version: "v1.36.4" });
    expect(here.api.requests).toHaveLength(1);
  });

  it("is used when it has more workers than asked for", async () => {
    here.api.nodes.push("k8s-practice-worker3");
    await up({}, { controlPlanes: 1, workers: 3 });
    await up();
    expect(await names()).toHaveLength(4);
  });

  it("is started after a reboot, and awaited", async () => {
    await up();
    const { containers } = await here.state();
    await here.set({ containers: containers.map((container) => ({ ...container, status: "exited" })) });
    here.api.notReady.add("k8s-practice-worker");
    const reviving = up();
    await expect.poll(() => here.phases.includes("clusters.kind.phase.ready"), { timeout: 10_000 }).toBe(true);
    here.api.notReady.clear();
    await reviving;
    expect((await here.calls()).find(({ args }) => args[0] === "start")?.args).toEqual(["start", ...NODES]);
    expect((await here.state()).containers.every(({ status }) => status === "running")).toBe(true);
  });

  it("goes on when it was paused", async () => {
    await up();
    const { containers } = await here.state();
    await here.set({ containers: containers.map((container) => ({ ...container, status: "paused" })) });
    await up();
    expect((await here.calls()).find(({ args }) => args[0] === "unpause")?.args).toEqual(["unpause", ...NODES]);
  });

  it("shows the difference when it has too few nodes, and asks for --recreate", async () => {
    await up();
    await expect(up({}, { controlPlanes: 1, workers: 3 })).rejects.toMatchObject({
      text: {
        key: "clusters.kind.wrong-shape",
        values: { workers: 2, wantedWorkers: 3, missing: "k8s-practice-worker3" },
      },
    });
    expect(await names()).toEqual(NODES);
  });

  it("is made anew with --recreate", async () => {
    await up();
    const before = here.api.marker;
    here.api.marker = undefined;
    here.api.nodes.push("k8s-practice-worker3");
    await up({ recreate: true }, { controlPlanes: 1, workers: 3 });
    expect(await names()).toHaveLength(4);
    expect(here.api.marker).not.toBe(before);
  });

  it("is left alone when somebody else made it", async () => {
    const foreign = {
      id: "x",
      name: "k8s-practice-control-plane",
      image: "kindest/node",
      status: "running",
      mounts: [],
    };
    await here.set({ containers: [foreign] });
    await expect(up()).rejects.toMatchObject({ text: { key: "clusters.kind.foreign" } });
    await expect(up({ recreate: true })).rejects.toMatchObject({ text: { key: "clusters.kind.foreign" } });
    expect(await provider.down()).toBe(false);
    expect(await names()).toEqual(["k8s-practice-control-plane"]);
    expect(here.api.requests).toEqual([]);
  });

  it("is left alone when somebody else made it after our own creation was cut short", async () => {
    await mkdir(join(here.home, "clusters/kind"), { recursive: true });
    await writeFile(stateFile(), JSON.stringify({ schema: 1, id: "x", phase: "creating", containers: {}, loaded: [] }));
    const foreign = {
      id: "x",
      name: "k8s-practice-control-plane",
      image: "kindest/node",
      status: "running",
      mounts: [],
    };
    await here.set({ containers: [foreign] });
    await expect(up()).rejects.toMatchObject({ text: { key: "clusters.kind.foreign" } });
    await expect(provider.down()).rejects.toMatchObject({ text: { key: "clusters.kind.foreign" } });
    expect(await names()).toEqual(["k8s-practice-control-plane"]);
  });

  it("is left alone when its marker is not ours", async () => {
    await up();
    here.api.marker = "another";
    expect(await provider.find()).toBeUndefined();
    await expect(up()).rejects.toMatchObject({ text: { key: "clusters.kind.foreign" } });
  });

  it("goes with `down`, and nothing of ours stays", async () => {
    await up();
    expect(await provider.down()).toBe(true);
    expect(await names()).toEqual([]);
    await expect(stat(join(here.home, "clusters/kind"))).rejects.toThrow();
    expect(await provider.down()).toBe(false);
  });

  it("stops and starts a node's container", async () => {
    const cluster = await up();
    await cluster.stopNode!("k8s-practice-worker");
    expect((await here.state()).containers[1]).toMatchObject({ status: "exited" });
    await cluster.startNode!("k8s-practice-worker");
    expect((await here.state()).containers[1]).toMatchObject({ status: "running" });
    await expect(cluster.stopNode!("another")).rejects.toMatchObject({ text: { key: "clusters.node.unknown" } });
  });
});

describe("an interruption", () => {
  const phases = [
    "Ensuring",
    "Preparing",
    "Writing",
    "Starting",
    "Installing CNI",
    "Installing StorageClass",
    "Joining",
  ];

  it.each(phases)("by Ctrl-C in the phase %s leaves nothing behind", async (phase) => {
    await here.set({ fail: { create: { phase, hang: true } } });
    const interrupt = new AbortController();
    const making = up({ signal: interrupt.signal });
    making.catch(() => {});
    await expect.poll(() => here.hanging(), { timeout: 10_000 }).toBe(true);
    interrupt.abort();
    await expect(making).rejects.toThrow();
    expect(await names()).toEqual([]);
    await expect(stat(stateFile())).rejects.toThrow();
    await here.set({ fail: {} });
    expect((await up()).id).toBe("kind");
  });

  it("by a crash leaves half a cluster, which the next command cleans up", async () => {
    await here.set({ fail: { create: { phase: "Joining", hang: true } } });
    const interrupt = new AbortController();
    const making = up({ signal: interrupt.signal });
    making.catch(() => {});
    await expect.poll(() => here.hanging(), { timeout: 10_000 }).toBe(true);
    const crashed = await readFile(stateFile(), "utf8");
    const { containers } = await here.state();
    interrupt.abort();
    await making.catch(() => {});
    // As it was when the process died.
    await mkdir(join(here.home, "clusters/kind"), { recursive: true });
    await writeFile(stateFile(), crashed);
    await here.set({ fail: {}, containers });
    await up();
    expect(here.phases).toContain("clusters.kind.phase.half-made");
    expect(await names()).toEqual(NODES);
  });
});

describe("images", () => {
  it("are pulled once and loaded into the nodes", async () => {
    const cluster = await up();
    await cluster.prepareImages!(["busybox:1.37", "nginx:1.29"], here.progress);
    await cluster.prepareImages!(["nginx:1.29"], here.progress);
    expect((await here.state()).loaded).toEqual(["busybox:1.37", "nginx:1.29"]);
    expect((await commands()).filter((line) => line === "docker pull busybox:1.37")).toHaveLength(1);
  });

  it("that can't be loaded are left to the nodes, and tried again next time", async () => {
    const cluster = await up();
    await here.set({
      fail: { load: { text: "ERROR: failed to load image: ctr: content digest sha256:0f: not found\n" } },
    });
    await cluster.prepareImages!(["busybox:1.37"], here.progress);
    expect(await readFile(join(here.home, "clusters/kind/kind.log"), "utf8")).toContain("content digest");
    await here.set({ fail: {} });
    await cluster.prepareImages!(["busybox:1.37"], here.progress);
    expect((await here.state()).loaded).toEqual(["busybox:1.37"]);
  });

  it("go through an archive with podman", async () => {
    await here.remove();
    here = await machine(["kind", "podman"]);
    provider = kindProvider(here);
    const cluster = await up();
    await cluster.prepareImages!(["busybox:1.37"], here.progress);
    expect((await here.state()).loaded?.[0]).toMatch(/images\.tar$/);
  });

  it("are named, with the way to bring them, when there is no network", async () => {
    const cluster = await up();
    const text = `Error response from daemon: Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io on 127.0.0.53:53: no such host\n`;
    await here.set({ fail: { pull: { text } } });
    await expect(cluster.prepareImages!(["busybox:1.37"], here.progress)).rejects.toMatchObject({
      text: { key: "clusters.image.missing", values: { image: "busybox:1.37" } },
    });
  });

  it("that the image host refuses for too many pulls are explained", async () => {
    const text =
      "Error response from daemon: toomanyrequests: You have reached your unauthenticated pull rate limit. https://www.docker.com/increase-rate-limit\n";
    await here.set({ fail: { pull: { text } } });
    await expect(up()).rejects.toMatchObject({ text: { key: "clusters.kind.failure.rate-limit" } });
  });
});

describe("the trace", () => {
  const event = (auditID: string, time: string) =>
    `${JSON.stringify({ auditID, stage: "ResponseComplete", requestReceivedTimestamp: time, verb: "patch", requestURI: "/x" })}\n`;

  it("is read from the folder on this machine", async () => {
    const cluster = await up();
    const folder = join(here.home, "clusters/kind/audit/k8s-practice-control-plane");
    await writeFile(join(folder, "audit.log"), event("a", "2026-01-01T00:00:00.000001Z"));
    expect((await cluster.trace!.read(0)).map(({ auditID }) => auditID)).toEqual(["a"]);
    expect((await commands()).some((line) => line.startsWith("docker exec"))).toBe(false);
  });

  it("is read through the node where this machine does not have it", async () => {
    const cluster = await up();
    await here.set({ auditInNode: event("a", "2026-01-01T00:00:00Z") + event("b", "2026-01-01T00:00:01Z") });
    expect((await cluster.trace!.read(Date.parse("2026-01-01T00:00:01Z"))).map(({ auditID }) => auditID)).toEqual([
      "b",
    ]);
  });
});
