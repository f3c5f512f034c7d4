import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandName, commands as registered } from "../../src/cli/commands.ts";
import { main } from "../../src/cli/main.ts";
import { type ApiStandIn, apiStandIn } from "./kind/stand-in/api-server.ts";

let folder: string;
let api: ApiStandIn;
let kubeconfig: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "foreign-"));
  api = await apiStandIn();
  kubeconfig = join(folder, "config");
  await writeFile(kubeconfig, api.kubeconfig("production"));
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

/** Commands that know no learner's cluster: they work on files, or on clusters of their own. */
const elsewhere = new Set(["grade", "report", "new", "lint"]);
const TASK = "k8s-daemonset";
const commands = [
  ["start", TASK, "--cluster", "kind"],
  ["start", TASK, "--cluster", "context:production"],
  ["start", TASK, "--restart", "--cluster", "context:production"],
  ["verify"],
  ["verify", TASK],
  ["status"],
  ["list"],
  ["show", TASK],
  ["hint"],
  ["solution", "--yes"],
  ["reset"],
  ["stop"],
  ["cluster", "up", "--cluster", "context:production"],
  ["cluster", "up", "--cluster", "kind"],
  ["cluster", "status"],
  ["cluster", "list", "--cluster", "context:production"],
  ["cluster", "down"],
  ["cluster", "down", "--cluster", "context:production"],
  ["cluster", "node", "stop", "worker"],
  ["cluster", "node", "stop", "worker", "--cluster", "context:production"],
  ["use"],
  ["use", "--cluster", "context:production"],
  ["env"],
  ["env", "--cluster", "context:production"],
  ["doctor"],
  ["prefetch"],
  ["completion", "bash"],
];

it("is tried with every command", () => {
  const tried = new Set(commands.map(([name]) => name));
  const names = registered.filter(({ summary }) => summary !== undefined).map(commandName);
  expect(names.filter((name) => !tried.has(name) && !elsewhere.has(name))).toEqual([]);
});

describe("a cluster that the current context points at and that is not ours", () => {
  it.each(commands)("is sent nothing by %s %s %s %s", async (...words) => {
    const before = await readFile(kubeconfig, "utf8");
    await main(
      words.filter((word) => word !== undefined),
      {
        env: {
          KUBECONFIG: kubeconfig,
          HOME: folder,
          PATH: join(folder, "nothing"),
          K8S_PRACTICE_HOME: join(folder, "home"),
        },
        cwd: folder,
        streams: quiet(),
        signal: new AbortController().signal,
        ownTasks: fileURLToPath(new URL("../../tasks", import.meta.url)),
      },
    );
    expect(api.requests).toEqual([]);
    expect(await readFile(kubeconfig, "utf8")).toBe(before);
  });
});

function quiet() {
  const stream = () => new PassThrough().resume() as never;
  return { stdin: stream(), stdout: stream(), stderr: stream() };
}
