import { spawn } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readEndpoint, requestApi } from "../../../src/clusters/api-request.ts";
import { embeddedProvider } from "../../../src/clusters/embedded/provider.ts";
import { isAlive } from "../../../src/clusters/files/process-lock.ts";
import { selfSigned } from "../self-signed.ts";

const SHAPE = { controlPlanes: 1, workers: 2 };
let tls: string;
let home: string;
let entry: string;
const phases: string[] = [];
const progress = { phase: ({ key }: { key: string }) => void phases.push(key) };

beforeAll(async () => {
  tls = await mkdtemp(join(tmpdir(), "embedded-tls-"));
  const { ca, key } = await selfSigned();
  await writeFile(join(tls, "ca.pem"), ca);
  await writeFile(join(tls, "key.pem"), key);
  process.env["STAND_IN_TLS"] = tls;
});
afterAll(() => rm(tls, { recursive: true }));
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "embedded-home-"));
  entry = join(home, "embedded.mjs");
  await copyFile(fileURLToPath(new URL("./embedded-stand-in.mjs", import.meta.url)), entry);
  phases.length = 0;
});
afterEach(async () => {
  delete process.env["STAND_IN_FAILS"];
  await provider().down();
  await rm(home, { recursive: true });
});

const provider = () => embeddedProvider({ home, entry });
const up = () => provider().up(SHAPE, progress);
const processFile = () => join(home, "clusters/embedded/data/process.json");
const running = async () => JSON.parse(await readFile(processFile(), "utf8")) as { pid: number; port: number };

async function nodeNames(): Promise<string[]> {
  const endpoint = await readEndpoint(join(home, "clusters/embedded/data/kubeconfig"), "k8s-practice-embedded");
  const { body } = await requestApi(endpoint!, "GET", "/nodes");
  return (body as { name: string }[]).map(({ name }) => name);
}

describe("the embedded cluster's process", () => {
  it("is started with kind's node names, and answers", async () => {
    const cluster = await up();
    expect(cluster).toMatchObject({
      id: "embedded",
      context: "k8s-practice-embedded",
      owned: true,
      version: "v1.36.2",
    });
    expect(await nodeNames()).toEqual(["k8s-practice-control-plane", "k8s-practice-worker", "k8s-practice-worker2"]);
  });

  it("is found again, and not started twice", async () => {
    expect(await provider().find()).toBeUndefined();
    await up();
    const { pid } = await running();
    await up();
    expect((await running()).pid).toBe(pid);
    expect(await provider().find()).toMatchObject({ id: "embedded" });
  });

  it("is started once by commands at the same time", async () => {
    await Promise.all([up(), up(), up()]);
    expect(phases.filter((key) => key === "clusters.embedded.starting")).toHaveLength(1);
  });

  it("is started again, on the port it had, when it was killed", async () => {
    await up();
    const { pid, port } = await running();
    process.kill(pid, "SIGKILL");
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(await provider().find()).toBeUndefined();
    await up();
    expect(phases).toContain("clusters.embedded.reviving");
    expect(await running()).toMatchObject({ port });
  });

  it("takes another port when its own was taken meanwhile", async () => {
    await up();
    const { pid, port } = await running();
    process.kill(pid, "SIGKILL");
    await expect.poll(() => isAlive(pid)).toBe(false);
    const thief = createServer();
    await new Promise<void>((resolve) => thief.listen(port, "127.0.0.1", resolve));
    try {
      await up();
      expect((await running()).port).not.toBe(port);
    } finally {
      thief.close();
    }
  });

  it("is not confused by another program that was given its process id", async () => {
    await up();
    const { pid } = await running();
    process.kill(pid, "SIGKILL");
    await expect.poll(() => isAlive(pid)).toBe(false);
    const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    try {
      await writeFile(processFile(), JSON.stringify({ pid: other.pid, port: 1, url: "https://127.0.0.1:1" }));
      await up();
      expect(await provider().down()).toBe(true);
      expect(isAlive(other.pid!)).toBe(true);
    } finally {
      other.kill("SIGKILL");
    }
  });

  it("is replaced by a new build, keeping its data", async () => {
    await up();
    const { pid } = await running();
    await writeFile(join(home, "clusters/embedded/data/objects"), "kept");
    await writeFile(entry, `${await readFile(entry, "utf8")}\n// a new build\n`);
    await up();
    expect((await running()).pid).not.toBe(pid);
    expect(isAlive(pid)).toBe(false);
    expect(await readFile(join(home, "clusters/embedded/data/objects"), "utf8")).toBe("kept");
  });

  it("says why it did not start, with its last words and its log", async () => {
    process.env["STAND_IN_FAILS"] = "1";
    await expect(up()).rejects.toMatchObject({
      kind: "environment",
      text: { key: "clusters.embedded.failed" },
      options: { details: ["the data folder is of a newer version"] },
    });
    expect(await readFile(join(home, "clusters/embedded/embedded.log"), "utf8")).toContain("newer version");
  });

  it("gets the nodes that a larger shape asks for", async () => {
    await up();
    await provider().up({ controlPlanes: 1, workers: 4 }, progress);
    expect(await nodeNames()).toContain("k8s-practice-worker4");
    expect(phases.filter((key) => key === "clusters.embedded.starting")).toHaveLength(1);
  });

  it("has nodes stopped, started, added and removed", async () => {
    const cluster = await up();
    await cluster.stopNode!("k8s-practice-worker");
    await cluster.startNode!("k8s-practice-worker");
    await cluster.addNode!("extra");
    await expect(cluster.removeNode!("unknown")).rejects.toMatchObject({ text: { key: "clusters.node.refused" } });
  });

  it("goes with `down`, and with it everything of the cluster's", async () => {
    await up();
    const { pid } = await running();
    expect(await provider().down()).toBe(true);
    expect(isAlive(pid)).toBe(false);
    await expect(stat(join(home, "clusters/embedded"))).rejects.toThrow();
    expect(await provider().down()).toBe(false);
  });
});
