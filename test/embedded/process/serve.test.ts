import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EmbeddedCluster, EmbeddedClusterOptions } from "../../../src/embedded/cluster.ts";
import { serve } from "../../../src/embedded/process/serve.ts";

let dir: string;
let given: EmbeddedClusterOptions | undefined;
let closed: boolean;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "serve-"));
  given = undefined;
  closed = false;
});
afterEach(() => rm(dir, { recursive: true }));

/** A cluster that is nothing but its outside. */
async function start(options: EmbeddedClusterOptions): Promise<EmbeddedCluster> {
  given = options;
  const close = async () => {
    closed = true;
  };
  return {
    url: "https://127.0.0.1:4444",
    kubeconfig: "kubeconfig",
    recovered: [],
    close,
  } as unknown as EmbeddedCluster;
}

const file = (name: string) => readFile(join(dir, name), "utf8");

describe("the background process", () => {
  it("writes how it is reached, and takes it back when it is told to end", async () => {
    const nodes = [{ name: "one", controlPlane: true }];
    const serving = serve(["--data-dir", dir, "--port", "0", "--nodes", JSON.stringify(nodes)], start);
    await expect.poll(() => file("process.json").catch(() => "")).not.toBe("");
    expect(JSON.parse(await file("process.json"))).toMatchObject({ pid: process.pid, port: 4444 });
    expect(await file("kubeconfig")).toBe("kubeconfig");
    expect((await stat(join(dir, "kubeconfig"))).mode & 0o777).toBe(0o600);
    expect(given?.nodes).toEqual(nodes);
    process.emit("SIGTERM");
    expect(await serving).toBe(0);
    expect(closed).toBe(true);
    await expect(file("process.json")).rejects.toThrow();
  });

  it("puts audit events into the log before it goes on", async () => {
    const serving = serve(["--data-dir", dir], start);
    await expect.poll(() => file("process.json").catch(() => "")).not.toBe("");
    given?.onAudit?.({ auditID: "a" });
    expect(await file("audit/audit.log")).toBe('{"auditID":"a"}\n');
    process.emit("SIGTERM");
    await serving;
  });

  it("says with its exit code that the port is taken, and leaves no word that it runs", async () => {
    await writeFile(join(dir, "process.json"), "of a process that was killed");
    const taken = Object.assign(new Error("listen EADDRINUSE"), { code: "EADDRINUSE" });
    expect(await serve(["--data-dir", dir], () => Promise.reject(taken))).toBe(98);
    await expect(file("process.json")).rejects.toThrow();
  });

  it("refuses to run without a data folder", async () => {
    expect(await serve([], start)).toBe(2);
  });
});
