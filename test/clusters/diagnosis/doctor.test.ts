import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { diagnose, type Finding } from "../../../src/clusters/diagnosis/index.ts";
import { checkKubectl } from "../../../src/clusters/diagnosis/kubectl.ts";
import { checkInotify, checkNode, checkProxy } from "../../../src/clusters/diagnosis/machine.ts";
import { type Machine, machine } from "../kind/stand-in/machine.ts";

let here: Machine;
beforeEach(async () => {
  here = await machine();
});
afterEach(() => here.remove());

const find = (findings: Finding[], id: Finding["id"]) => findings.find((finding) => finding.id === id);

async function kubectl(version: string): Promise<void> {
  const answer = JSON.stringify({ clientVersion: { gitVersion: version } });
  const file = join(here.env["PATH"]!, "kubectl");
  await writeFile(file, `#!/bin/sh\n[ "$*" = "version --client -o json" ] || exit 64\necho '${answer}'\n`);
  await chmod(file, 0o755);
}

describe("a machine with everything", () => {
  it("can use kind", async () => {
    await kubectl("v1.36.2");
    const { findings, usable } = await diagnose(here.home, here.env);
    expect(usable.kind).toBe(true);
    expect(find(findings, "engine")?.detail.values).toMatchObject({ name: "docker", version: "28.2.2" });
    expect(find(findings, "kind")?.detail.values).toMatchObject({ image: "kindest/node:v1.36.4" });
  });

  it("changes no container and no image", async () => {
    await kubectl("v1.36.2");
    const before = await here.state();
    await diagnose(here.home, here.env);
    expect(await here.state()).toEqual(before);
  });
});

describe("what is missing", () => {
  it("is said with the line that fixes it, and for which cluster it is needed", async () => {
    await here.remove();
    here = await machine([]);
    const { findings, usable } = await diagnose(here.home, here.env);
    expect(usable).toMatchObject({ kind: false, embedded: false });
    for (const id of ["kubectl", "engine", "kind"] as const) {
      expect(find(findings, id)).toMatchObject({ state: "missing", fix: expect.anything() });
    }
    expect(find(findings, "kubectl")?.neededFor).toBe("everything");
    expect(find(findings, "kind")?.neededFor).toBe("kind");
  });

  it("is the daemon when the engine is installed and does not answer", async () => {
    const text = "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?\n";
    await here.set({ fail: { info: { text } } });
    const { findings } = await diagnose(here.home, here.env);
    expect(find(findings, "engine")?.detail.key).toBe("clusters.kind.failure.daemon");
  });

  it("is a newer kind when this one is too old", async () => {
    await here.set({ kindVersion: "0.20.0" });
    const { findings } = await diagnose(here.home, here.env);
    expect(find(findings, "kind")).toMatchObject({ state: "missing", detail: { key: "clusters.kind.too-old" } });
  });

  it("is cgroup v2", async () => {
    await here.set({ info: { CgroupVersion: "1" } });
    const { findings, usable } = await diagnose(here.home, here.env);
    expect(find(findings, "cgroup")?.state).toBe("missing");
    expect(usable.kind).toBe(false);
  });

  it("is memory of the engine's machine", async () => {
    await here.set({ info: { MemTotal: 1_000_000_000, OperatingSystem: "Docker Desktop" } });
    const { findings } = await diagnose(here.home, here.env);
    expect(find(findings, "memory")).toMatchObject({
      state: "warning",
      detail: { values: { has: "0.9", needed: "1.5" } },
    });
  });

  it("is a readable kubeconfig", async () => {
    await mkdir(join(here.env["HOME"]!, ".kube"));
    await writeFile(join(here.env["HOME"]!, ".kube/config"), "clusters: [\n");
    const { findings } = await diagnose(here.home, here.env);
    expect(find(findings, "kubeconfig")).toMatchObject({
      state: "warning",
      detail: { key: "clusters.kubeconfig.broken" },
    });
  });
});

describe("kubectl", () => {
  it.each([
    ["v1.36.2", "v1.36.4", "ok"],
    ["v1.35.0", "v1.36.4", "ok"],
    ["v1.37.1", "v1.36.4", "ok"],
    ["v1.34.9", "v1.36.4", "warning"],
    ["v1.34.9", "v1.35.0", "ok"],
  ])("%s against a cluster of %s is %s", async (client, server, state) => {
    await kubectl(client);
    expect((await checkKubectl(here.env, server)).state).toBe(state);
  });
});

describe("a limit or a setting", () => {
  it("of Node.js too old is missing", () => {
    expect(checkNode("20.18.3").state).toBe("missing");
    expect(checkNode("20.19.0").state).toBe("ok");
    expect(checkNode("24.1.0").state).toBe("ok");
  });

  it("of file watches that is low is a warning", async () => {
    const folder = await mkdtemp(join(tmpdir(), "inotify-"));
    const write = async (instances: number, watches: number) => {
      await writeFile(join(folder, "max_user_instances"), `${instances}\n`);
      await writeFile(join(folder, "max_user_watches"), `${watches}\n`);
    };
    await write(128, 8192);
    expect((await checkInotify(folder))?.state).toBe("warning");
    await write(512, 524_288);
    expect((await checkInotify(folder))?.state).toBe("ok");
    await rm(folder, { recursive: true });
    expect(await checkInotify(folder)).toBeUndefined();
  });

  it("of a proxy is a warning unless the cluster's addresses are left out, and shows no password", () => {
    const proxy = { HTTPS_PROXY: "http://user:secret@proxy:3128" };
    const caught = checkProxy(proxy, undefined);
    expect(caught.state).toBe("warning");
    expect(JSON.stringify(caught)).not.toContain("secret");
    expect(checkProxy({ ...proxy, no_proxy: "localhost,10.96.0.0/16" }, undefined).state).toBe("ok");
    expect(checkProxy({}, undefined).state).toBe("ok");
  });
});
