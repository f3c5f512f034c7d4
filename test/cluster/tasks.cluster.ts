import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ended, type Learner, learnerAt } from "./runner.ts";

// npm run test:cluster -- --cluster kind|embedded|context:NAME: the solutions pass and the wrong attempts are rejected,
// through the commands a learner types, on any cluster.
const cluster = process.env["K8S_PRACTICE_TEST_CLUSTER"] ?? "embedded";
const only = process.env["K8S_PRACTICE_TEST_TASK"];
const keep = process.env["K8S_PRACTICE_TEST_KEEP"] === "1";
const tasksFolder = fileURLToPath(new URL("../../tasks", import.meta.url));

interface StepScripts {
  name: string;
  solution: string;
  wrong: { name: string; script: string; rejectedBy: string }[];
  /** Other right ways (test/tasks/other-ways). */
  otherWays: { name: string; script: string }[];
}

function foldersIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function stepsOf(task: string): StepScripts[] {
  const folder = join(tasksFolder, task, "steps");
  return foldersIn(folder).map((name) => {
    const wrongFolder = join(folder, name, "wrong");
    const wrong = (foldersIn(join(folder, name)).includes("wrong") ? readdirSync(wrongFolder) : [])
      .filter((file) => file.endsWith(".sh"))
      .map((file) => {
        const script = readFileSync(join(wrongFolder, file), "utf8");
        return { name: file, script, rejectedBy: /^# rejected by: (\S+)/.exec(script)?.[1] ?? "" };
      });
    const ways = fileURLToPath(new URL(`../tasks/other-ways/${task}/${name}`, import.meta.url));
    const otherWays = (existsSync(ways) ? readdirSync(ways) : [])
      .filter((file) => file.endsWith(".sh"))
      .map((file) => ({ name: file, script: readFileSync(join(ways, file), "utf8") }));
    return { name, otherWays, solution: readFileSync(join(folder, name, "solution.sh"), "utf8"), wrong };
  });
}

interface Verified {
  outcome: string;
  checks: { id: string; outcome: string; question?: { choices: unknown } }[];
}

let learner: Learner;
beforeAll(async () => {
  learner = await learnerAt(cluster, process.env["K8S_PRACTICE_TEST_KUBECTL"]);
}, 120_000);
afterAll(async () => {
  if (!keep) await learner.run("cluster", "down");
  await learner.leave();
}, 300_000);

/** Fails with what the command said when it ended otherwise than with `code`. */
function expectCode(ended: Ended, code: number): void {
  expect(ended.code, `${ended.stdout}\n${ended.stderr}`).toBe(code);
}

async function verify(...options: string[]): Promise<Verified> {
  const ended = await learner.run("verify", "-o", "json", "--timeout", "60", ...options);
  expect([0, 1], `${ended.stdout}\n${ended.stderr}`).toContain(ended.code);
  return JSON.parse(ended.stdout) as Verified;
}

/** Verifies a solution; where there is no trace, the question is answered until the answer is right. */
async function verifySolution(): Promise<Verified> {
  let result = await verify();
  for (let choice = 1; choice <= 6 && result.outcome !== "passed"; choice++) {
    if (!result.checks.some(({ outcome, question }) => outcome !== "passed" && question !== undefined)) break;
    result = await verify("--answer", String(choice));
  }
  return result;
}

for (const task of foldersIn(tasksFolder).filter((name) => only === undefined || name === only)) {
  const steps = stepsOf(task);
  describe(`${task} on ${cluster}`, () => {
    beforeAll(async () => {
      expectCode(await learner.run("start", task, "--restart", "--yes", "--allow-nodes"), 0);
    }, 900_000);
    afterAll(async () => {
      expectCode(await learner.run("stop"), 0);
    }, 300_000);

    for (const [index, step] of steps.entries()) {
      /** The start state, with the steps before this one done. */
      const prepare = async () => {
        expectCode(await learner.run("reset"), 0);
        for (const { solution } of steps.slice(0, index)) expectCode(await learner.shell(solution), 0);
      };

      it.each(step.wrong)(`${step.name} rejects $name with $rejectedBy`, async ({ script, rejectedBy }) => {
        await prepare();
        // What a wrong attempt's kubectl says is its own affair: some are refused.
        await learner.shell(`set +e\n${script}`);
        const { outcome, checks } = await verify();
        expect(outcome).not.toBe("passed");
        const rejecting = checks.find((check) => check.outcome !== "passed");
        expect(rejecting?.id, JSON.stringify(checks, null, 2)).toBe(rejectedBy);
      });

      it.each(step.otherWays)(`${step.name} passes with $name`, async ({ script }) => {
        await prepare();
        expectCode(await learner.shell(script), 0);
        const { outcome, checks } = await verifySolution();
        expect(outcome, JSON.stringify(checks, null, 2)).toBe("passed");
        // Back at this step, which has now been passed: what follows must be judged anew.
        expectCode(await learner.run("start", task, "--restart", "--yes", "--allow-nodes"), 0);
        for (const { solution } of steps.slice(0, index)) {
          expectCode(await learner.shell(solution), 0);
          expect((await verifySolution()).outcome).toBe("passed");
        }
      });

      it(`${step.name} passes with the reference solution`, async () => {
        await prepare();
        expectCode(await learner.shell(step.solution), 0);
        const { outcome, checks } = await verifySolution();
        expect(outcome, JSON.stringify(checks, null, 2)).toBe("passed");
      });
    }
  });
}
