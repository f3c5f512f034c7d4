import { chmod, lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "js-yaml";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { kubectlTarget, pointKubectl, restoreKubectl } from "../../../src/clusters/index.ts";

let folder: string;
let home: string;
let env: NodeJS.ProcessEnv;
let file: string;
const cluster = { kubeconfigPath: "", context: "k8s-practice-embedded" };

const OTHERS = `# my clusters
apiVersion: v1
kind: Config
preferences: {colors: true}
clusters:
- cluster:
    # the office
    server: https://10.0.0.1:6443 # by VPN
    x-unknown: "0123"
  name: office
contexts:
- context:
    cluster: office
    user: me
  name: office # used daily
current-context: office
users:
- name: me
  user:
    token: 00123
    exec:
      command: aws
`;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kubeconfig-"));
  home = join(folder, "home");
  file = join(folder, ".kube", "config");
  env = { HOME: folder };
  cluster.kubeconfigPath = join(folder, "own");
  await writeFile(cluster.kubeconfigPath, ownConfig("https://127.0.0.1:4321"));
});
afterEach(() => rm(folder, { recursive: true }));

function ownConfig(server: string): string {
  return `apiVersion: v1
kind: Config
clusters: [{name: k8s-practice-embedded, cluster: {server: "${server}", certificate-authority-data: QUJD}}]
users: [{name: k8s-practice-embedded, user: {client-certificate-data: QUJD, client-key-data: QUJD}}]
contexts: [{name: k8s-practice-embedded, context: {cluster: k8s-practice-embedded, user: k8s-practice-embedded}}]
`;
}

async function write(text: string, path = file) {
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, text, { mode: 0o640 });
}

const point = (namespace = "task", options = {}) => pointKubectl(cluster, { home, env, namespace, ...options });

describe("pointing kubectl at the practice cluster", () => {
  it("creates a kubeconfig only its owner can read where there is none", async () => {
    expect(await point()).toEqual({ file, context: "k8s-practice-embedded" });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(load(await readFile(file, "utf8"))).toMatchObject({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "k8s-practice-embedded",
      contexts: [{ context: { cluster: "k8s-practice-embedded", namespace: "task", user: "k8s-practice-embedded" } }],
    });
  });

  it("keeps other entries' comments, quoting, unknown fields and order, and the file's mode", async () => {
    await write(OTHERS);
    expect(await point()).toMatchObject({ previous: "office" });
    const text = await readFile(file, "utf8");
    for (const line of OTHERS.split("\n").filter((line) => !line.startsWith("current-context"))) {
      expect(text).toContain(line);
    }
    expect((await stat(file)).mode & 0o777).toBe(0o640);
  });

  it("gives back the same text, byte for byte, when it is undone", async () => {
    await write(OTHERS);
    await point();
    await restoreKubectl(cluster.context, { home, env });
    expect(await readFile(file, "utf8")).toBe(OTHERS);
  });

  it("goes back to the context from before, also after pointing twice", async () => {
    await write(OTHERS);
    await point("one");
    await point("two");
    const { changed } = await restoreKubectl(cluster.context, { home, env });
    expect(changed).toEqual([{ file, current: "office" }]);
  });

  it("leaves the current context alone when the learner has switched meanwhile", async () => {
    await write(OTHERS);
    await point();
    await write(
      (await readFile(file, "utf8")).replace("current-context: k8s-practice-embedded", "current-context: office"),
    );
    const { changed } = await restoreKubectl(cluster.context, { home, env });
    expect(changed).toEqual([{ file, current: "office" }]);
  });

  it("leaves no current context when the one from before is gone", async () => {
    await write(OTHERS);
    await point();
    await write((await readFile(file, "utf8")).replace("name: office # used daily", "name: other"));
    const { changed } = await restoreKubectl(cluster.context, { home, env });
    expect(changed).toEqual([{ file }]);
    expect(await readFile(file, "utf8")).toContain('current-context: ""');
  });

  it("does not write when everything is as it should be", async () => {
    await write(OTHERS);
    await point();
    const before = await stat(file);
    await point();
    expect((await stat(file)).ino).toBe(before.ino);
  });

  it("follows a new port of the cluster", async () => {
    await point();
    await writeFile(cluster.kubeconfigPath, ownConfig("https://127.0.0.1:5555"));
    await point();
    const text = await readFile(file, "utf8");
    expect(text).toContain("https://127.0.0.1:5555");
    expect(text).not.toContain("4321");
  });

  it("quotes a namespace that YAML would read as a number", async () => {
    await point("123");
    expect(load(await readFile(file, "utf8"))).toMatchObject({ contexts: [{ context: { namespace: "123" } }] });
  });

  it("writes through a symbolic link", async () => {
    const real = join(folder, "real-config");
    await write(OTHERS, real);
    await mkdir(join(folder, ".kube"));
    await symlink(real, file);
    await point();
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect(await readFile(real, "utf8")).toContain("k8s-practice-embedded");
  });

  it("writes to the first file of KUBECONFIG that exists, and to no other", async () => {
    const [missing, first, second] = ["missing", "first", "second"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await write("", first);
    await write(OTHERS, second);
    env = { HOME: folder, KUBECONFIG: `${missing}:${first}:${second}` };
    expect((await point()).file).toBe(first);
    expect(await readFile(second, "utf8")).toBe(OTHERS);
    await expect(stat(missing)).rejects.toThrow();
  });

  it("writes to the file of --kubeconfig alone", async () => {
    await write(OTHERS);
    const other = join(folder, "deep", "mine.yaml");
    expect((await point("task", { file: other })).file).toBe(other);
    expect(await readFile(file, "utf8")).toBe(OTHERS);
  });

  it("edits a kubeconfig written as JSON", async () => {
    await write(JSON.stringify({ apiVersion: "v1", kind: "Config", clusters: null, contexts: [], users: [] }));
    await point();
    const config = load(await readFile(file, "utf8")) as { clusters: unknown[] };
    expect(config.clusters).toHaveLength(1);
  });

  it("says which line of a broken kubeconfig is wrong and leaves it as it is", async () => {
    await write("apiVersion: v1\nclusters: [\n");
    await expect(point()).rejects.toMatchObject({
      text: { key: "clusters.kubeconfig.broken", values: { file, line: "3" } },
    });
    expect(await readFile(file, "utf8")).toBe("apiVersion: v1\nclusters: [\n");
  });

  it("leaves a read-only kubeconfig as it is", async () => {
    await write(OTHERS);
    await chmod(file, 0o444);
    await expect(point()).rejects.toMatchObject({ text: { key: "clusters.kubeconfig.readonly" } });
    expect(await readFile(file, "utf8")).toBe(OTHERS);
    await expect(stat(`${file}.lock`)).rejects.toThrow();
  });

  it("waits for kubectl's lock", async () => {
    await write(OTHERS);
    await writeFile(`${file}.lock`, "", { mode: 0 });
    const pointing = point();
    await write(OTHERS.replace("name: me", "name: renamed"));
    await rm(`${file}.lock`);
    await pointing;
    expect(await readFile(file, "utf8")).toContain("name: renamed");
  });

  it("removes the lock that a killed command of ours left", async () => {
    await write(OTHERS);
    await writeFile(`${file}.lock`, "k8s-practice 999999999\n");
    await point();
    await expect(stat(`${file}.lock`)).rejects.toThrow();
  });

  it("loses neither of two edits made at once", async () => {
    await write(OTHERS);
    const own = (name: string) => ownConfig("https://127.0.0.1:1").replaceAll("k8s-practice-embedded", name);
    const names = ["a", "b", "c", "d"];
    await Promise.all(
      names.map(async (name) => {
        const kubeconfigPath = join(folder, name);
        await writeFile(kubeconfigPath, own(name));
        await pointKubectl({ kubeconfigPath, context: name }, { home, env, namespace: "task" });
      }),
    );
    const { contexts } = load(await readFile(file, "utf8")) as { contexts: { name: string }[] };
    expect(contexts.map((context) => context.name).sort()).toEqual([...names, "office"]);
  });
});

describe("where kubectl points", () => {
  it("is nowhere without a kubeconfig", async () => {
    expect(await kubectlTarget(cluster, { env })).toEqual({ pointsHere: false });
  });

  it("is elsewhere with another current context, which is named", async () => {
    await write(OTHERS);
    expect(await kubectlTarget(cluster, { env })).toMatchObject({
      pointsHere: false,
      context: "office",
      server: "https://10.0.0.1:6443",
    });
  });

  it("is here after pointing, with the task's namespace", async () => {
    await write(OTHERS);
    await point();
    expect(await kubectlTarget(cluster, { env })).toMatchObject({ pointsHere: true, namespace: "task", file });
  });

  it("is read from the first file of KUBECONFIG that names a context", async () => {
    await write(OTHERS);
    await point();
    const first = join(folder, "first");
    await write("current-context: office\n", first);
    env = { KUBECONFIG: `${first}:${file}` };
    expect(await kubectlTarget(cluster, { env })).toMatchObject({ pointsHere: false, context: "office", file: first });
  });
});
