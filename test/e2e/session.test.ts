import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root, Workplace } from "./workplace.ts";

/** What a learner does with the embedded cluster, through the real ./run and real kubectl. */
let desk: Workplace;
beforeEach(async () => {
  desk = await Workplace.make();
}, 120_000);
afterEach(() => desk.leave());

const embedded = ["--cluster", "embedded"];
const start = (...args: string[]) => desk.run(["start", "k8s-daemonset", ...embedded, ...args]);
const patch = (spec: object) => desk.kubectl("patch", "daemonset", "node-agent", "-p", JSON.stringify({ spec }));

async function serverPid(): Promise<number> {
  return JSON.parse(await readFile(join(desk.home, "clusters/embedded/data/process.json"), "utf8")).pid;
}

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 200; i++) {
    if (await condition()) return;
    await delay(50);
  }
  throw new Error(`never: ${what}`);
}

describe("a task from start to stop", () => {
  it("goes through three steps, each explained when the one before passes", async () => {
    const started = await start();
    expect(started, started.stderr).toMatchObject({ code: 0 });
    expect(started.stdout).toContain("1 of 3: The replicas patch that does nothing");

    const early = await desk.run(["verify"]);
    expect(early.code).toBe(1);
    expect(early.stdout).toContain("✘ You sent spec.replicas");

    expect((await desk.kubectl("scale", "daemonset", "node-agent", "--replicas=5")).stderr).toContain("NotFound");
    expect((await desk.run(["verify"])).stdout).toContain("You tried kubectl scale");

    const patched = await patch({ replicas: 5 });
    expect(patched.stdout).toBe("daemonset.apps/node-agent patched (no change)");
    expect(patched.stderr).toBe('Warning: unknown field "spec.replicas"');
    const first = await desk.run(["verify"]);
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toContain("2 of 3: The nodeSelector that zeroes DESIRED");

    await patch({ template: { spec: { nodeSelector: { disk: "ssd-nvme" } } } });
    const second = await desk.run(["verify", "-o", "json"]);
    expect(second).toMatchObject({ code: 0 });
    expect(JSON.parse(second.stdout)).toMatchObject({ outcome: "passed", finished: false, next: { number: 3 } });

    const toleration = { key: "node-role.kubernetes.io/control-plane", operator: "Exists", effect: "NoSchedule" };
    await patch({ template: { spec: { nodeSelector: null, tolerations: [toleration] } } });
    const third = await desk.run(["verify"]);
    expect(third).toMatchObject({ code: 0 });
    expect(third.stdout).toContain("You have done every step");

    const status = JSON.parse((await desk.run(["status", "-o", "json"])).stdout);
    expect(status).toMatchObject({ state: "finished", cluster: { running: true }, kubectl: { pointsHere: true } });
    expect((await desk.run(["list"])).stdout).toContain("✔ done");

    const stopped = await desk.run(["stop"]);
    expect(stopped).toMatchObject({ code: 0 });
    expect((await desk.kubectl("get", "namespace", "k8s-daemonset")).stderr).toContain("not found");
  });

  it("stop undoes labels, taints and cordons; reset brings the start state back", async () => {
    await start();
    const nodes = async () => {
      const { items } = JSON.parse((await desk.kubectl("get", "nodes", "-o", "json")).stdout);
      return items.map(
        (n: { metadata: { name: string; labels: object }; spec: { taints?: object[]; unschedulable?: boolean } }) => ({
          name: n.metadata.name,
          labels: n.metadata.labels,
          taints: n.spec.taints ?? [],
          unschedulable: n.spec.unschedulable ?? false,
        }),
      );
    };
    const before = await nodes();
    const spoil = async () => {
      await desk.kubectl("label", "node", "k8s-practice-worker", "disk=ssd");
      await desk.kubectl("taint", "node", "k8s-practice-worker2", "away=yes:NoSchedule");
      await desk.kubectl(
        "taint",
        "node",
        "k8s-practice-control-plane",
        "node-role.kubernetes.io/control-plane:NoSchedule-",
      );
      await desk.kubectl("cordon", "k8s-practice-worker");
      await desk.kubectl("delete", "daemonset", "node-agent");
    };
    await spoil();
    expect(await nodes()).not.toEqual(before);
    const reset = await desk.run(["reset"]);
    expect(reset, reset.stderr).toMatchObject({ code: 0 });
    expect(await nodes()).toEqual(before);
    expect((await desk.kubectl("get", "daemonset", "node-agent", "-o", "jsonpath={.status.numberReady}")).stdout).toBe(
      "2",
    );
    await spoil();
    expect((await desk.run(["stop"])).stdout).toContain("3 changes to nodes are undone");
    expect(await nodes()).toEqual(before);
  });

  it("asks before an attempt is begun again, and goes on or begins again as told", async () => {
    await start();
    await patch({ replicas: 5 });
    await desk.run(["verify"]);
    const again = await start();
    expect(again.code).toBe(2);
    expect(again.stderr).toContain("step 2 of 3");
    const on = await start("--continue");
    expect(on).toMatchObject({ code: 0 });
    expect(on.stdout).toContain("2 of 3");
    const anew = await start("--restart");
    expect(anew).toMatchObject({ code: 0 });
    expect(anew.stdout).toContain("1 of 3");
    expect((await desk.run(["verify"])).code).toBe(1);
  });
});

describe("when things go wrong", () => {
  it("two starts at once: one works, the other waits for it and then says what is under way", async () => {
    const [one, two] = await Promise.all([start(), start()]);
    expect([one.code, two.code].sort()).toEqual([0, 2]);
    const late = one.code === 0 ? two : one;
    expect(late.stderr).toMatch(/under way|Another command is at work/);
    expect((await desk.run(["status"])).code).toBe(0);
  });

  it.each([0, 150, 400, 800])("Ctrl-C %d ms into start: the next start finishes the job", async (milliseconds) => {
    const running = execa(join(root, "run"), ["start", "k8s-daemonset", ...embedded], {
      cwd: desk.folder,
      env: desk.env,
      extendEnv: false,
      reject: false,
      stdin: "ignore",
    });
    await delay(milliseconds);
    running.kill("SIGINT");
    const ended = await running;
    expect([0, 2, 130, undefined]).toContain(ended.exitCode);
    const next = await start(...(ended.exitCode === 0 ? ["--continue"] : []));
    expect(next, next.stderr).toMatchObject({ code: 0 });
    expect((await desk.kubectl("get", "daemonset", "node-agent", "-o", "jsonpath={.status.numberReady}")).stdout).toBe(
      "2",
    );
  });

  it("Ctrl-C while verify waits: exit 130, nothing lost", async () => {
    await start();
    await patch({
      template: { spec: { containers: [{ name: "agent", image: "busybox:1.36" }], nodeSelector: { disk: "none" } } },
    });
    const home = join(desk.folder, "course");
    await desk.write(
      "course/waits/task.yaml",
      "apiVersion: k8s-practice/v1\nkind: Task\nmetadata: {name: waits}\nspec: {category: test, level: beginner, duration: 1m, namespace: waits}\n",
    );
    await desk.write("course/waits/task.en.md", "---\ntitle: Waits\ndescription: For a test.\n---\nText\n");
    await desk.write(
      "course/waits/steps/01-wait/step.en.md",
      "---\ntitle: Wait\nchecks:\n  never: {title: Never}\n---\nText\n",
    );
    await desk.write(
      "course/waits/steps/01-wait/verify.ts",
      'import { defineStep, pending } from "k8s-practice";\nexport default defineStep({ checks: [{ id: "never", run: async ({ cluster }) => { await cluster.pods(); return pending("rollout", { ready: 0, desired: 1 }); } }] });\n',
    );
    expect((await desk.run(["start", "waits", "--tasks", home, ...embedded])).code).toBe(0);
    const running = execa(join(root, "run"), ["verify", "--tasks", home], {
      cwd: desk.folder,
      env: desk.env,
      extendEnv: false,
      reject: false,
      stdin: "ignore",
    });
    await delay(1500);
    running.kill("SIGINT");
    const ended = await running;
    expect(ended.exitCode).toBe(130);
    expect(ended.stderr).toContain("Interrupted. Nothing is lost.");
    const over = await desk.run(["verify", "--tasks", home, "--timeout", "0.3"]);
    expect(over.code).toBe(1);
    expect(over.stdout).toContain("The rollout is still under way: 0 of 1 ready.");
  });

  it("the server killed during writes: verify says it is gone, start --continue brings it back with every acknowledged write", async () => {
    await start();
    let acknowledged = 0;
    const writer = (async () => {
      for (let i = 1; i <= 30; i++) {
        const ran = await desk.kubectl("create", "configmap", `written-${i}`);
        if (ran.code !== 0) return;
        acknowledged = i;
      }
    })();
    await until("some writes", async () => acknowledged >= 3);
    process.kill(await serverPid(), "SIGKILL");
    await writer;
    const gone = await desk.run(["verify"]);
    expect(gone.code).toBe(3);
    expect(gone.stderr).toContain("--continue");
    const back = await start("--continue");
    expect(back, back.stderr).toMatchObject({ code: 0 });
    const names = (await desk.kubectl("get", "configmaps", "-o", "name")).stdout.split("\n");
    for (let i = 1; i <= acknowledged; i++) expect(names).toContain(`configmap/written-${i}`);
  });

  it("its port taken by another program: another port is used, and kubectl follows", async () => {
    await start();
    const file = join(desk.home, "clusters/embedded/data/process.json");
    const { pid, port } = JSON.parse(await readFile(file, "utf8"));
    process.kill(pid, "SIGKILL");
    const squatter = createServer();
    try {
      await until(
        "the port is free",
        () =>
          new Promise((resolve) => {
            squatter.once("error", () => resolve(false));
            squatter.listen(port, "127.0.0.1", () => resolve(true));
          }),
      );
      const back = await start("--continue");
      expect(back, back.stderr).toMatchObject({ code: 0 });
      expect(JSON.parse(await readFile(file, "utf8")).port).not.toBe(port);
      expect((await desk.kubectl("get", "daemonset", "node-agent")).code).toBe(0);
    } finally {
      squatter.close();
    }
  });

  it("kubectl's context elsewhere: verify says so, works on the practice cluster all the same, and use points back", async () => {
    let requests = 0;
    const foreign = createServer((socket) => {
      requests += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => foreign.listen(0, "127.0.0.1", resolve));
    const { port } = foreign.address() as { port: number };
    try {
      await writeFile(
        join(desk.folder, "kubeconfig"),
        `apiVersion: v1\nkind: Config\ncurrent-context: prod\ncontexts: [{name: prod, context: {cluster: prod, user: prod}}]\nclusters: [{name: prod, cluster: {server: "https://127.0.0.1:${port}"}}]\nusers: [{name: prod, user: {token: x}}]\n`,
      );
      await start();
      await desk.kubectl("config", "use-context", "prod");
      const verified = await desk.run(["verify"]);
      expect(verified.code).toBe(1);
      expect(verified.stderr).toContain("Your kubectl points at prod");
      expect(verified.stderr).toContain("./run use");
      await desk.run(["status"]);
      await desk.run(["reset"]);
      await desk.run(["use"]);
      expect((await desk.kubectl("config", "current-context")).stdout).toBe("k8s-practice-embedded");
      expect((await desk.kubectl("get", "daemonset", "node-agent")).code).toBe(0);
      await desk.run(["stop"]);
      expect(requests).toBe(0);
    } finally {
      foreign.close();
    }
  });

  it("no kubectl in PATH: start gives the line that installs it, and goes on", async () => {
    const bare = await Workplace.make({ kubectl: false });
    try {
      const ran = await bare.run(["start", "k8s-daemonset", ...embedded]);
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      expect(ran.stderr).toMatch(/kubectl was not found[\s\S]*dl\.k8s\.io|brew install kubectl/);
    } finally {
      await bare.leave();
    }
  });
});
