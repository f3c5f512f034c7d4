import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Attempt } from "../../src/attempts/attempt.ts";
import { AttemptStore } from "../../src/attempts/attempt-store.ts";
import { withCommandLock } from "../../src/attempts/command-lock.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "k8s-practice-attempts-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const attempt: Attempt = {
  task: "demo",
  taskHash: "abc",
  cluster: "embedded",
  namespace: "demo",
  state: "under-way",
  startedAt: 1,
  currentStep: "01-a",
  steps: { "01-a": { beganAt: 1, failures: 0, hintsShown: 0 } },
  nodes: [],
};

describe("attempts on disk", () => {
  it("come back as they were written", async () => {
    const store = new AttemptStore(home);
    await store.write(attempt);
    await store.setActive("demo");
    expect(await new AttemptStore(home).read("demo")).toMatchObject(attempt);
    expect(await store.active()).toBe("demo");
    expect(await store.list()).toHaveLength(1);
    expect((await readdir(join(home, "attempts"))).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it.each([
    ["cut short", '{"schemaVersion": 1, "task": "de'],
    ["empty", ""],
    ["of another shape", '{"schemaVersion": 1, "task": 5}'],
    ["without a version", '{"task": "demo"}'],
  ])("a file that is %s is set aside with its content, and told", async (_how, text) => {
    const damaged: string[] = [];
    const store = new AttemptStore(home, (file) => damaged.push(file));
    await mkdir(join(home, "attempts"));
    await writeFile(join(home, "attempts/demo.json"), text);
    expect(await store.read("demo")).toBeUndefined();
    expect(damaged).toHaveLength(1);
    expect(damaged[0]).toMatch(/demo\.json\.damaged-\d{8}T\d{6}Z$/);
    expect(await readFile(damaged[0]!, "utf8")).toBe(text);
    await store.write(attempt);
    expect(await store.read("demo")).toMatchObject({ task: "demo" });
  });

  it("a file of a newer version is refused and left alone", async () => {
    const file = join(home, "attempts/demo.json");
    await mkdir(join(home, "attempts"));
    await writeFile(file, '{"schemaVersion": 99}');
    await expect(new AttemptStore(home).read("demo")).rejects.toMatchObject({ text: { key: "attempts.newer" } });
    expect(await readFile(file, "utf8")).toBe('{"schemaVersion": 99}');
  });

  it("a home that is no folder is an error with words", async () => {
    const file = join(home, "file");
    await writeFile(file, "");
    await expect(new AttemptStore(file).write(attempt)).rejects.toMatchObject({ kind: "environment" });
  });
});

describe("the command lock", () => {
  it("lets one command at a time work, in the order they get it", async () => {
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
    };
    // Within one process the lock's own file would clash; commands are processes, so each gets a home view of its own.
    await withCommandLock(home, "a", work);
    await withCommandLock(home, "b", work);
    expect(most).toBe(1);
    expect(await readdir(home)).toEqual([]);
  });

  it("names the command that holds it", async () => {
    await writeFile(
      join(home, "command.lock"),
      JSON.stringify({ pid: process.ppid, began: "", command: "start demo" }),
    );
    const refused = withCommandLock(home, "verify", async () => {}, { patience: 0 });
    await expect(refused).rejects.toMatchObject({
      text: { key: "attempts.busy", values: { pid: process.ppid, command: "start demo" } },
    });
  });

  it.each([
    ["a process that is gone", JSON.stringify({ pid: 2 ** 22 + 12345, began: "1", command: "start" })],
    ["an earlier process with the same number", JSON.stringify({ pid: process.ppid, began: "1", command: "start" })],
    ["nobody knows", "rubbish"],
  ])("is taken over from %s", async (_who, text) => {
    await writeFile(join(home, "command.lock"), text);
    expect(await withCommandLock(home, "verify", async () => "done", { patience: 0 })).toBe("done");
    expect(await readdir(home)).toEqual([]);
  });

  it("is given back when the work fails", async () => {
    const failing = withCommandLock(home, "a", async () => {
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await readdir(home)).toEqual([]);
  });
});
