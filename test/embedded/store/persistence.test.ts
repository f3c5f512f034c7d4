import { appendFile, mkdtemp, open, readdir, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ClassicLevel } from "classic-level";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StoreFormatError, StoreInUseError } from "../../../src/embedded/store/level-persistence.ts";
import { openStore } from "../../../src/embedded/store/open-store.ts";
import type { Store } from "../../../src/embedded/store/store.ts";

const configMaps = { group: "", resource: "configmaps" };
let folder: string;
let parent: string;
let opened: Store[];

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "store-"));
  folder = join(parent, "store");
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((store) => store.close()));
  await rm(parent, { recursive: true });
});

async function begin() {
  const result = await openStore(folder);
  opened.push(result.store);
  return result;
}
async function end(store: Store) {
  opened = opened.filter((one) => one !== store);
  await store.close();
}
const object = (name: string, text = "x") => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace: "lab", name, uid: name },
  data: { text },
});
const names = (store: Store) => store.list(configMaps).map(({ metadata }) => metadata.name);

/** A store with 200 objects of 2 KB, closed in order. */
async function filled() {
  const { store } = await begin();
  for (let i = 0; i < 200; i++) {
    store.put(configMaps, object(`o${String(i).padStart(3, "0")}`, `${i} `.repeat(500)));
    await store.durable(store.revision);
  }
  await end(store);
}
const files = async (kind: RegExp) =>
  (await readdir(folder)).filter((name) => kind.test(name)).map((f) => join(folder, f));
async function size() {
  const all = await Promise.all(
    (await files(/./)).map(async (file) => (await stat(file).catch(() => ({ size: 0 }))).size),
  );
  return all.reduce((sum, one) => sum + one, 0);
}
/** Changes bytes in the middle of a file. */
async function spoil(file: string) {
  const handle = await open(file, "r+");
  const { size: length } = await handle.stat();
  await handle.write(Buffer.alloc(64, 0xa5), 0, 64, Math.floor(length / 2));
  await handle.close();
}
async function largest(kind: RegExp) {
  const all = await Promise.all((await files(kind)).map(async (file) => ({ file, size: (await stat(file)).size })));
  return all.sort((a, b) => b.size - a.size)[0]!.file;
}

describe("a store on disk", () => {
  it("has after a restart what it had, and counts on", async () => {
    const { store, isNew } = await begin();
    expect(isNew).toBe(true);
    store.put(configMaps, object("a"));
    store.put(configMaps, object("b"));
    store.remove(configMaps, "lab", "a");
    const { revision } = store;
    await end(store);
    const again = await begin();
    expect(again.findings).toEqual([]);
    expect(again.isNew).toBe(false);
    expect(names(again.store)).toEqual(["b"]);
    expect(again.store.revision).toBe(revision);
  });

  it("is refused to a second user, who is told so, and the first goes on", async () => {
    const { store } = await begin();
    await expect(openStore(folder)).rejects.toThrow(StoreInUseError);
    store.put(configMaps, object("a"));
    await store.durable(store.revision);
    await end(store);
    expect(names((await begin()).store)).toEqual(["a"]);
  });

  it("of another format is left alone", async () => {
    await end((await begin()).store);
    const db = new ClassicLevel<string, string>(folder);
    await db.put("meta/format", "99");
    await db.close();
    await expect(openStore(folder)).rejects.toThrow(StoreFormatError);
  });

  it("stays small when the same objects change again and again", async () => {
    const { store } = await begin();
    for (let i = 0; i < 20_000; i++) {
      store.put(configMaps, object(`o${i % 10}`, `${i} `.repeat(200)));
      if (i % 20 === 0) await store.durable(store.revision);
    }
    await store.durable(store.revision);
    // LevelDB compacts behind the writes, and files come and go under the count.
    await expect.poll(size, { timeout: 20_000 }).toBeLessThan(12 * 1024 * 1024);
  });
});

describe("damage is found at the start and told", () => {
  it("when a record was changed behind the database's back", async () => {
    await filled();
    const db = new ClassicLevel<string, string>(folder);
    const key = "object//configmaps/lab/o007";
    await db.put(key, (await db.get(key))!.replace("7 7", "8 8"));
    await db.close();
    const { store, findings } = await begin();
    expect(findings).toEqual(["Damaged objects, left out: /configmaps/lab/o007. Objects kept: 199."]);
    expect(names(store)).not.toContain("o007");
    await end(store);
    expect((await begin()).findings).toEqual([]);
  });

  it("when bytes of a file were changed", async () => {
    await filled();
    await spoil(await largest(/\.(ldb|log)$/));
    const { store, findings } = await begin();
    expect(findings.join("\n")).toMatch(/Objects kept/);
    expect(store.list(configMaps).length).toBeLessThan(200);
    for (const { data, metadata } of store.list(configMaps) as unknown as ReturnType<typeof object>[]) {
      expect(data.text).toBe(`${Number(metadata.name.slice(1))} `.repeat(500));
    }
    await end(store);
    expect((await begin()).findings).toEqual([]);
  });

  it("when a file was cut off", async () => {
    await filled();
    const file = await largest(/\.(ldb|log)$/);
    await truncate(file, Math.floor((await stat(file)).size / 2));
    const { store, findings } = await begin();
    expect(findings.join("\n")).toMatch(/missing|damaged/);
    expect(findings.join("\n")).toContain(`Objects kept: ${store.list(configMaps).length}.`);
    expect(store.list(configMaps).length).toBeGreaterThan(0);
  });

  it("when the newest changes are gone, and their revisions are not given out again", async () => {
    const { store } = await begin();
    store.put(configMaps, object("a"));
    await end(store);
    const second = (await begin()).store;
    second.put(configMaps, object("b"));
    const { revision } = second;
    await end(second);
    await truncate(await largest(/\.log$/), 0);
    const third = await begin();
    expect(third.findings.join("\n")).toMatch(/^The last changes before the cluster was stopped are missing/);
    expect(third.store.revision).toBeGreaterThanOrEqual(revision);
    third.store.put(configMaps, object("c"));
    expect(Number(third.store.get(configMaps, "lab", "c")?.metadata.resourceVersion)).toBeGreaterThan(revision);
  });

  it.each([
    ["CURRENT is gone", async () => rm(join(folder, "CURRENT"))],
    ["CURRENT is empty", async () => truncate(join(folder, "CURRENT"), 0)],
    ["CURRENT names a file that is not there", async () => writeFile(join(folder, "CURRENT"), "MANIFEST-999999\n")],
    ["the manifest is gone", async () => rm((await files(/^MANIFEST/))[0]!)],
    ["the manifest is cut off", async () => truncate((await files(/^MANIFEST/))[0]!, 10)],
    ["the manifest is another file", async () => rename(await largest(/\.(ldb|log)$/), (await files(/^MANIFEST/))[0]!)],
    [
      "the manifest has rubbish at its end",
      async () => appendFile((await files(/^MANIFEST/))[0]!, Buffer.alloc(99, 7)),
    ],
  ])("when %s, and the objects are kept as far as they can be", async (what, harm) => {
    await filled();
    await harm();
    const { store, findings } = await begin();
    const kept = store.list(configMaps).length;
    if (what === "the manifest is another file") expect(findings.join("\n")).toContain("damaged");
    else expect(kept).toBe(200);
    if (kept < 200) expect(findings.join("\n")).toContain(`Objects kept: ${kept}.`);
    await end(store);
    expect((await begin()).findings).toEqual([]);
  });
});
