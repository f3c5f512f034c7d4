import { cp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root, Workplace } from "./workplace.ts";

let desk: Workplace;
beforeEach(async () => {
  desk = await Workplace.make();
}, 120_000);
afterEach(() => desk.leave());

const replicas = ["patch", "daemonset", "node-agent", "-p", '{"spec":{"replicas":5}}'];

describe("verify --watch", () => {
  it("shows the checks, looks again when something changes, and ends when the step passes", async () => {
    expect((await desk.run(["start", "k8s-daemonset", "--cluster", "embedded"])).code).toBe(0);
    const watching = execa(join(root, "run"), ["verify", "--watch"], {
      cwd: desk.folder,
      env: desk.env,
      extendEnv: false,
      reject: false,
      stdin: "ignore",
    });
    let seen = "";
    const begun = new Promise<void>((resolve) => {
      watching.stderr?.on("data", (chunk: Buffer) => {
        seen += String(chunk);
        if (seen.includes("No request with spec.replicas")) resolve();
      });
    });
    await begun;
    expect((await desk.kubectl(...replicas)).code).toBe(0);
    const ended = await watching;
    expect(ended.exitCode).toBe(0);
    expect(ended.stdout).toContain("Step 1 of 3 passed.");
    expect((await desk.run(["status", "-o", "json"])).stdout).toContain('"step": 2');
  });
});

describe("a step with a verify.sh", () => {
  it("passes with exit code 0, and says the script's last line otherwise", async () => {
    const tasks = join(desk.folder, "course");
    const task = join(tasks, "scripted");
    await cp(join(root, "tasks/k8s-daemonset"), task, { recursive: true });
    for (const step of ["02-node-selector-zero", "03-control-plane-toleration"]) {
      await rm(join(task, "steps", step), { recursive: true });
    }
    const step = join(task, "steps/01-replicas-no-op");
    await rm(join(step, "verify.ts"));
    const yaml = `apiVersion: k8s-practice/v1
kind: Task
metadata: {name: scripted}
spec: {category: workloads, level: beginner, duration: 5m, namespace: scripted, ready: [daemonset/node-agent]}
`;
    await writeFile(join(task, "task.yaml"), yaml);
    await writeFile(
      join(step, "step.en.md"),
      "---\ntitle: Label it\nchecks:\n  script: {title: The DaemonSet is labelled}\n---\nDo.\n",
    );
    await writeFile(
      join(step, "verify.sh"),
      'echo looking\n[ "$(kubectl get ds node-agent -o jsonpath={.metadata.labels.team})" = ops ] || { echo "the label team is not ops"; exit 1; }\n',
    );
    const run = (...args: string[]) => desk.run([...args, "--tasks", tasks]);
    const started = await run("start", "scripted", "--cluster", "embedded");
    expect(started.code, started.stderr).toBe(0);
    const wrong = await run("verify", "--timeout", "1");
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toContain("the label team is not ops");
    await desk.kubectl("label", "daemonset", "node-agent", "team=ops");
    const right = await run("verify");
    expect(right.stdout).toContain("✔ The DaemonSet is labelled");
    expect(right.code).toBe(0);
  });
});
