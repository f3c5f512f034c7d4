import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ContextUse, contextProvider } from "../../../src/clusters/context/provider.ts";
import { type ApiStandIn, apiStandIn } from "../kind/stand-in/api-server.ts";

const SHAPE = { controlPlanes: 1, workers: 2 };
let folder: string;
let api: ApiStandIn;
let env: NodeJS.ProcessEnv;
const progress = { phase() {} };
const use: ContextUse = { task: "a", namespace: "lab", changesNodes: false, yes: false, allowNodes: false };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "context-"));
  api = await apiStandIn();
  env = { KUBECONFIG: join(folder, "config") };
  await writeFile(env["KUBECONFIG"]!, api.kubeconfig("school"));
});
afterEach(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

const provider = (change: Partial<ContextUse> = {}, name = "school") =>
  contextProvider({ name, home: join(folder, "home"), env, use: { ...use, ...change } });
const up = (change: Partial<ContextUse> = {}) => provider(change).up(SHAPE, progress);
const refused = (key: string) => ({ kind: "usage", text: { key } });

describe("a cluster that someone else owns", () => {
  it("is sent nothing before the learner has agreed", async () => {
    await provider().detect();
    expect(await provider().find()).toBeUndefined();
    await expect(up()).rejects.toMatchObject(refused("clusters.context.consent"));
    expect(api.requests).toEqual([]);
  });

  it("is used once the learner has agreed, and without a trace", async () => {
    const cluster = await up({ yes: true });
    expect(cluster).toMatchObject({ id: "context:school", owned: false, trace: undefined, version: "v1.36.4" });
    expect(cluster.capabilities.size).toBe(0);
  });

  it("is agreed to once for each task", async () => {
    await up({ yes: true });
    expect((await up()).id).toBe("context:school");
    await expect(up({ task: "b" })).rejects.toMatchObject(refused("clusters.context.consent"));
  });

  it("is another cluster when the context points to another server", async () => {
    await up({ yes: true });
    await writeFile(env["KUBECONFIG"]!, api.kubeconfig("school").replace("127.0.0.1", "localhost"));
    await expect(up()).rejects.toMatchObject(refused("clusters.context.consent"));
    expect(await provider().find()).toBeUndefined();
  });

  it("needs a word of its own before nodes are changed", async () => {
    await expect(up({ yes: true, changesNodes: true })).rejects.toMatchObject(refused("clusters.context.nodes"));
    expect(api.requests).toEqual([]);
    await up({ yes: true, changesNodes: true, allowNodes: true });
    expect((await up({ changesNodes: true })).id).toBe("context:school");
  });

  it("tells which permissions are missing before anything is applied", async () => {
    api.denied = ({ resource, verb }) => resource === "daemonsets" && verb === "create";
    await expect(up({ yes: true })).rejects.toMatchObject({
      kind: "environment",
      text: { key: "clusters.context.permissions", values: { count: 1 } },
      options: { details: ["create daemonsets.apps in namespace lab"] },
    });
    const changes = api.requests.filter(({ method, path }) => method !== "GET" && !path.endsWith("reviews"));
    expect(changes).toEqual([]);
  });

  it("asks about nodes only where the task changes them", async () => {
    api.denied = ({ resource, verb }) => resource === "nodes" && verb === "patch";
    await up({ yes: true });
    await expect(up({ changesNodes: true, allowNodes: true })).rejects.toMatchObject({
      options: { details: ["patch nodes"] },
    });
  });

  it("is refused when it has too few nodes", async () => {
    api.nodes = ["one-control-plane"];
    await expect(up({ yes: true })).rejects.toMatchObject({ text: { key: "clusters.context.too-few-nodes" } });
  });

  it("is reached through a kubeconfig of our own, with that context alone", async () => {
    const { kubeconfigPath, context } = await up({ yes: true });
    expect(kubeconfigPath.startsWith(join(folder, "home"))).toBe(true);
    expect(await readFile(kubeconfigPath, "utf8")).toContain(`current-context: ${context}`);
    expect(await readFile(env["KUBECONFIG"]!, "utf8")).toBe(api.kubeconfig("school"));
  });

  it("is forgotten with `down`, and not touched by it", async () => {
    await up({ yes: true });
    api.requests.length = 0;
    expect(await provider().down()).toBe(true);
    expect(await provider().down()).toBe(false);
    expect(api.requests).toEqual([]);
    await expect(up()).rejects.toMatchObject(refused("clusters.context.consent"));
  });

  it("has to be in the kubeconfig, and the names there are listed", async () => {
    await expect(provider({}, "scool").up(SHAPE, progress)).rejects.toMatchObject({
      text: { key: "clusters.context.unknown", values: { names: "school" } },
    });
  });
});
