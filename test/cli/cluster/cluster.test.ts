import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { type Machine, machine } from "../../clusters/kind/stand-in/machine.ts";

const OWN = `apiVersion: v1
kind: Config
clusters:
- cluster:
    server: https://10.0.0.1
  name: office
contexts:
- context:
    cluster: office
    user: me
  name: office
current-context: office
users:
- name: me
  user: {}
`;
let here: Machine;
let kubeconfig: string;

beforeEach(async () => {
  here = await machine();
  kubeconfig = join(here.env["HOME"]!, ".kube/config");
  await mkdir(join(kubeconfig, ".."));
  await writeFile(kubeconfig, OWN);
});
afterEach(() => here.remove());

/** `./run WORDS`, as typed on a machine with kind and docker. */
async function run(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const [stdout, stderr] = [collector(), collector()];
  const code = await main(words, {
    env: { ...here.env, K8S_PRACTICE_HOME: here.home },
    cwd: here.env["HOME"]!,
    streams: { stdin: new PassThrough(), stdout: stdout.stream, stderr: stderr.stream } as never,
    signal: new AbortController().signal,
    ownTasks: fileURLToPath(new URL("../../../tasks", import.meta.url)),
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function collector() {
  const chunks: string[] = [];
  const stream = new PassThrough();
  stream.on("data", (chunk) => chunks.push(String(chunk)));
  return { stream, text: () => chunks.join("") };
}

interface Config {
  "current-context": string;
  contexts: { name: string; context: { namespace?: string } }[];
}
const config = async (file = kubeconfig) => load(await readFile(file, "utf8")) as Config;

describe("cluster", () => {
  it("up takes kind where it can, says why, and points kubectl at it", async () => {
    const { code, stdout, stderr } = await run("cluster", "up");
    expect(code).toBe(0);
    expect(stderr).toContain("Using kind on docker");
    expect(stdout).toContain("v1.36.4");
    expect(await config()).toMatchObject({ "current-context": "kind-k8s-practice" });
  });

  it("down deletes it and gives kubectl its context back", async () => {
    await run("cluster", "up", "--cluster", "kind");
    const { code, stdout } = await run("cluster", "down");
    expect(code).toBe(0);
    expect(stdout).toContain("office");
    expect(await readFile(kubeconfig, "utf8")).toBe(OWN);
    expect((await here.state()).containers).toEqual([]);
    expect((await run("cluster", "down")).stdout).toContain("There was no practice cluster.");
  });

  it("status says what runs and where kubectl points, also as JSON", async () => {
    await run("cluster", "up", "--cluster", "kind");
    const { stdout } = await run("cluster", "status", "-o", "json");
    expect(JSON.parse(stdout)).toMatchObject({
      clusters: [
        { id: "embedded", running: false },
        { id: "kind", running: true, version: "v1.36.4", kubectlPointsHere: true },
      ],
    });
  });

  it("node stop and start reach the node's container", async () => {
    await run("cluster", "up", "--cluster", "kind");
    expect((await run("cluster", "node", "stop", "k8s-practice-worker")).code).toBe(0);
    expect((await here.state()).containers.find(({ name }) => name === "k8s-practice-worker")?.status).toBe("exited");
    expect((await run("cluster", "node", "start", "k8s-practice-worker")).code).toBe(0);
    expect((await run("cluster", "node", "add", "more")).code).toBe(2);
  });

  it.each([
    ["cluster", "sideways"],
    ["cluster", "node", "stop"],
    ["cluster", "node", "boil", "worker"],
    ["cluster", "up", "--workers", "many"],
  ])("%s %s %s %s is wrong usage", async (...words) => {
    expect((await run(...words.filter((word) => word !== undefined))).code).toBe(2);
  });
});

describe("use and env", () => {
  it("use points kubectl back after the learner went elsewhere", async () => {
    await run("cluster", "up", "--cluster", "kind");
    await writeFile(
      kubeconfig,
      (await readFile(kubeconfig, "utf8")).replace("current-context: kind-k8s-practice", "current-context: office"),
    );
    expect((await run("use", "--namespace", "lab")).code).toBe(0);
    const { contexts, "current-context": current } = await config();
    expect(current).toBe("kind-k8s-practice");
    expect(contexts.find(({ name }) => name === current)?.context.namespace).toBe("lab");
  });

  it("use --kubeconfig writes that file and no other", async () => {
    await run("cluster", "up", "--cluster", "kind");
    const before = await readFile(kubeconfig, "utf8");
    const other = join(here.home, "other.yaml");
    await run("use", "--kubeconfig", other);
    expect(await config(other)).toMatchObject({ "current-context": "kind-k8s-practice" });
    expect(await readFile(kubeconfig, "utf8")).toBe(before);
  });

  it.each([
    ["bash", /^export KUBECONFIG='(.+)'\n$/],
    ["fish", /^set -gx KUBECONFIG '(.+)';\n$/],
    ["powershell", /^\$env:KUBECONFIG = '(.+)'\n$/],
  ])("env speaks %s, and leaves the learner's kubeconfig alone", async (shell, form) => {
    await run("cluster", "up", "--cluster", "kind");
    const before = await readFile(kubeconfig, "utf8");
    const { stdout } = await run("env", "--shell", shell);
    expect(await config(form.exec(stdout)?.[1])).toMatchObject({ "current-context": "kind-k8s-practice" });
    expect(await readFile(kubeconfig, "utf8")).toBe(before);
  });

  it("say so when no cluster runs", async () => {
    const { code, stderr } = await run("use");
    expect(code).toBe(3);
    expect(stderr).toContain("No practice cluster is running.");
  });
});

describe("prefetch", () => {
  it("brings the node image and the task's images", async () => {
    const { code, stdout } = await run("prefetch", "k8s-daemonset", "-o", "json");
    expect(code).toBe(0);
    const { images } = JSON.parse(stdout) as { images: { image: string; pulled: boolean }[] };
    expect(images[0]?.image).toContain("kindest/node:v1.36.4@sha256:");
    expect(images.length).toBeGreaterThan(1);
    expect((await here.state()).images).toEqual(images.map(({ image }) => image));
  });
});
