import { mkdtemp, readdir, readFile, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { bundledProcess, type RunningProcess, startProcess } from "../fixture/embedded-process.ts";

let bundle: Awaited<ReturnType<typeof bundledProcess>>;
let dataDir: string;
let running: RunningProcess[];

beforeAll(async () => {
  bundle = await bundledProcess();
});
afterAll(() => bundle.remove());
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "killed-"));
  running = [];
});
afterEach(async () => {
  for (const { child, exited } of running) {
    child.kill("SIGKILL");
    await exited;
  }
  await rm(dataDir, { recursive: true });
});

async function start() {
  const process = await startProcess(bundle.entry, dataDir);
  running.push(process);
  return process;
}
const configMaps = "/api/v1/namespaces/default/configmaps";
type List = { items: { metadata: { name: string }; data?: { value: string } }[] };

it("has every acknowledged write after it was killed in the middle of writing", async () => {
  const acknowledged = new Map<string, string | undefined>();
  for (let round = 0; round < 3; round++) {
    const process = await start();
    let stopped = false;
    let written = 0;
    const writer = async (id: number) => {
      for (let i = 0; !stopped; i++) {
        const name = `w${round}-${id}-${i % 7}`;
        const body = { metadata: { name }, data: { value: `${round}-${i}` } };
        const remove = i % 5 === 4 && acknowledged.get(name) !== undefined;
        const path = acknowledged.get(name) === undefined ? configMaps : `${configMaps}/${name}`;
        const method = remove ? "DELETE" : path === configMaps ? "POST" : "PUT";
        const before = acknowledged.get(name);
        // Between request and answer either state is right.
        acknowledged.delete(name);
        const answer = await process.ask(method, path, remove ? undefined : body).catch(() => undefined);
        if (answer === undefined) return;
        if (answer.code >= 300) throw new Error(`${method} ${path}: ${answer.code} (before: ${before})`);
        acknowledged.set(name, remove ? undefined : body.data.value);
        written += 1;
      }
    };
    const writers = Array.from({ length: 8 }, (_, id) => writer(id));
    await expect.poll(() => written, { timeout: 10_000 }).toBeGreaterThan(100 + round * 37);
    process.child.kill("SIGKILL");
    await process.exited;
    stopped = true;
    await Promise.all(writers);
  }
  const process = await start();
  const { items } = (await process.ask("GET", configMaps)).body as List;
  const found = new Map(items.map(({ metadata, data }) => [metadata.name, data?.value]));
  for (const [name, value] of acknowledged) expect(found.get(name), name).toBe(value);
  expect(process.said()).not.toContain("recovered");
}, 60_000);

it("refuses a second process on the same data, in words, and the first goes on", async () => {
  const first = await start();
  const second = await start();
  expect(await second.exited).toBe(1);
  expect(second.said()).toContain(`another process has ${join(dataDir, "store")} open`);
  expect((await first.ask("GET", configMaps)).code).toBe(200);
  expect(JSON.parse(await readFile(join(dataDir, "process.json"), "utf8")).pid).toBe(first.child.pid);
});

it("tells what was found damaged, and serves what was kept", async () => {
  const first = await start();
  for (let i = 0; i < 50; i++) {
    const data = { value: "x".repeat(2000) };
    await first.ask("POST", configMaps, { metadata: { name: `c${i}` }, data });
  }
  first.child.kill("SIGTERM");
  await first.exited;
  const folder = join(dataDir, "store");
  for (const file of await readdir(folder)) {
    if (!/\.(ldb|log)$/.test(file)) continue;
    const { size } = await stat(join(folder, file));
    await truncate(join(folder, file), Math.floor(size * 0.7));
  }
  const second = await start();
  expect(second.said()).toMatch(/recovered: .*(missing|damaged)/);
  const { recovered } = JSON.parse(await readFile(join(dataDir, "process.json"), "utf8"));
  expect(recovered.join(" ")).toMatch(/Objects kept: \d+/);
  expect((await second.ask("GET", configMaps)).code).toBe(200);
  expect((await second.ask("POST", configMaps, { metadata: { name: "after" } })).code).toBe(201);
});
