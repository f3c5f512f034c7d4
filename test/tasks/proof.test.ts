import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { loadTranslator } from "../../src/messages/translator.ts";
import { findTasks } from "../../src/tasks/find-task.ts";
import { loadTask } from "../../src/tasks/load-task.ts";
import type { Step, Task } from "../../src/tasks/task.ts";
import { PracticeCluster } from "./practice-cluster.ts";

/**
 * The proof of every task: each step fails before its solution and passes after it, each wrong attempt is rejected by the
 * check it names, and other right ways pass too (test/tasks/other-ways/TASK/STEP/*.sh).
 */
const say = await loadTranslator("en");
const root = fileURLToPath(new URL("../..", import.meta.url));
const tasks: Task[] = [];
for (const { folder } of await findTasks([join(root, "tasks")]))
  tasks.push(await loadTask(folder, { language: "en", say }));

let cluster: PracticeCluster | undefined;
afterEach(async () => {
  await cluster?.close();
  cluster = undefined;
});

/** The cluster as a learner has it at the beginning of `step`: every step before it solved. */
async function atStep(task: Task, step: Step): Promise<PracticeCluster> {
  cluster = await PracticeCluster.make(task);
  for (const earlier of task.steps.slice(0, step.number - 1)) {
    cluster.begin();
    await cluster.script(await readFile(earlier.solution!, "utf8"));
    const report = await cluster.verify(earlier);
    expect(report.outcome, `step ${earlier.name} before it: ${JSON.stringify(report.checks, null, 1)}`).toBe("passed");
  }
  cluster.begin();
  return cluster;
}

async function scripts(folder: string): Promise<{ name: string; text: string }[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".sh")).sort();
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), "utf8") })));
}

for (const task of tasks) {
  describe(`task ${task.name}`, () => {
    for (const step of task.steps) {
      describe(`step ${step.name}`, async () => {
        it("fails before anything is done and passes after the reference solution", async () => {
          const here = await atStep(task, step);
          expect((await here.verify(step, { timeout: 300 })).outcome).not.toBe("passed");
          const ran = await here.script(await readFile(step.solution!, "utf8"));
          const report = await here.verify(step);
          expect(report.outcome, `${ran.stdout}${ran.stderr}${JSON.stringify(report.checks, null, 1)}`).toBe("passed");
        });

        for (const { name, text } of await scripts(join(step.folder, "wrong"))) {
          const check = /^# rejected by: (\S+)$/m.exec(text.split("\n")[0]!)?.[1];
          it(`wrong/${name} is rejected by ${check}`, async () => {
            expect(check, "the first line must be `# rejected by: CHECK-ID`").toBeDefined();
            const here = await atStep(task, step);
            const ran = await here.script(text);
            const report = await here.verify(step, { timeout: 3000 });
            const first = report.checks.find(({ outcome }) => outcome !== "passed");
            const seen = `${ran.stdout}${ran.stderr}${JSON.stringify(report.checks, null, 1)}`;
            expect(first?.id, seen).toBe(check);
            expect(first?.outcome, seen).toBe("failed");
            // Its message must be one that was written for it.
            const verdict = first!.verdict as { code?: string };
            const texts = step.text.checks[check!]?.failures ?? {};
            expect(Object.keys(texts).concat("missing", "controller", "rollout"), seen).toContain(verdict.code);
          });
        }

        for (const { name, text } of await scripts(join(root, "test/tasks/other-ways", task.name, step.name))) {
          it(`other-ways/${name} passes too`, async () => {
            const here = await atStep(task, step);
            const ran = await here.script(text);
            const report = await here.verify(step);
            expect(report.outcome, `${ran.stdout}${ran.stderr}${JSON.stringify(report.checks, null, 1)}`).toBe(
              "passed",
            );
          });
        }
      });
    }
  });
}
