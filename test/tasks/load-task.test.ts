import { cp, mkdtemp, readFile, rm, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PracticeError } from "../../src/messages/practice-error.ts";
import { loadTranslator } from "../../src/messages/translator.ts";
import { findStep } from "../../src/tasks/find-step.ts";
import { loadTask } from "../../src/tasks/load-task.ts";
import type { Step } from "../../src/tasks/task.ts";
import { loadVerifier } from "../../src/tasks/verifier-module.ts";

const own = fileURLToPath(new URL("../../tasks/k8s-daemonset", import.meta.url));
const say = await loadTranslator("en");
let work: string;
let folder: string;

beforeEach(async () => {
  work = await mkdtemp(join(tmpdir(), "k8s-practice-tasks-"));
  folder = join(work, "k8s-daemonset");
  await cp(own, folder, { recursive: true });
});
afterEach(() => rm(work, { recursive: true, force: true }));

const load = () => loadTask(folder, { language: "en", say, cwd: folder });

/** The lines `file:line:column: what` of a task that can't be used. */
async function problems(): Promise<string[]> {
  const error = await load().then(
    () => undefined,
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(PracticeError);
  expect(error).toMatchObject({ kind: "usage", text: { key: "tasks.invalid" } });
  return (error as PracticeError).options.details ?? [];
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  const path = join(folder, file);
  await writeFile(path, change(await readFile(path, "utf8")));
}

describe("a task folder", () => {
  it("is read whole", async () => {
    const task = await load();
    expect(task.steps.map(({ name }) => name)).toEqual([
      "01-replicas-no-op",
      "02-node-selector-zero",
      "03-control-plane-toleration",
    ]);
    expect(task.shape).toMatchObject({ controlPlanes: 1, workers: 2 });
    expect(task.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(task.steps[0]!.text.hints).toHaveLength(3);
  });

  it("has another hash when a file changes", async () => {
    const { hash } = await load();
    await edit("steps/01-replicas-no-op/solution.sh", (text) => `${text}# more\n`);
    expect((await load()).hash).not.toBe(hash);
  });

  it("with broken YAML names the place", async () => {
    await edit("task.yaml", (text) => text.replace("spec:", "spec: [oops"));
    expect((await problems())[0]).toMatch(/^task\.yaml:\d+:\d+: not valid YAML/);
  });

  it("with an unknown field names the field, its line and the known ones", async () => {
    await edit("task.yaml", (text) => text.replace("  level: proficient", "  levle: proficient"));
    const found = await problems();
    expect(found.find((line) => line.includes("levle"))).toMatch(
      /^task\.yaml:9:3: spec\.levle: no such field here; known are .*level/,
    );
    expect(found.find((line) => line.includes("“level” is missing"))).toBeDefined();
  });

  it("with a wrong value names what is allowed", async () => {
    await edit("task.yaml", (text) => text.replace("proficient", "guru"));
    expect(await problems()).toEqual(['task.yaml:9:3: spec.level: must be beginner, proficient, advanced, not "guru"']);
  });

  it("with a name that is not its folder's says both", async () => {
    await edit("task.yaml", (text) => text.replace("name: k8s-daemonset", "name: other"));
    expect((await problems())[0]).toMatch(/^task\.yaml:5:3: metadata\.name is other/);
  });

  it("with an alias that contains itself is refused", async () => {
    await edit("task.yaml", (text) => `${text}x: &x [1, *x]\n`);
    expect((await problems()).join("\n")).toMatch(/alias \*x contains itself/);
  });

  it("with aliases that multiply is refused, and quickly", async () => {
    const levels = "bcdefghij".split("").map((name, i) => {
      const before = String.fromCharCode(name.charCodeAt(0) - 1);
      return `${name}: &${name} [${Array(10).fill(`*${before}`).join(",")}]${i < 0 ? "" : ""}`;
    });
    await edit("task.yaml", (text) => `${text}a: &a [1,1,1,1,1,1,1,1,1,1]\n${levels.join("\n")}\n`);
    const began = performance.now();
    expect((await problems()).join("\n")).toMatch(/aliases multiply/);
    expect(performance.now() - began).toBeLessThan(3000);
  });

  it("with a huge file is refused", async () => {
    await edit("task.yaml", (text) => `${text}# ${"x".repeat(1100 * 1024)}\n`);
    expect((await problems()).join("\n")).toMatch(/larger than 1024 KiB/);
  });

  it("with an empty task.yaml is refused", async () => {
    await edit("task.yaml", () => "");
    expect((await problems())[0]).toMatch(/^task\.yaml:1:1: the file is empty/);
  });

  it("without a verifier names the file that is missing", async () => {
    await unlink(join(folder, "steps/02-node-selector-zero/verify.ts"));
    expect(await problems()).toEqual([
      expect.stringMatching(/^steps\/02-node-selector-zero\/verify\.ts: .*no verifier/),
    ]);
  });

  it("with broken front matter names file and line", async () => {
    await edit("steps/01-replicas-no-op/step.en.md", (text) =>
      text.replace("title: The replicas", "titel: The replicas"),
    );
    const found = (await problems()).join("\n");
    expect(found).toMatch(/step\.en\.md:2:1: titel: no such field here/);
    expect(found).toMatch(/“title” is missing/);
  });

  it("without front matter is refused", async () => {
    await edit("task.en.md", () => "# Hello\n");
    expect((await problems())[0]).toMatch(/^task\.en\.md:1:1: the file must begin with a YAML block/);
  });

  it("reports several problems at once", async () => {
    await edit("task.yaml", (text) => text.replace("proficient", "guru").replace("20m", "soon"));
    await unlink(join(folder, "steps/02-node-selector-zero/step.en.md"));
    expect((await problems()).length).toBe(3);
  });
});

describe("a step is found", () => {
  it("by number, name and short name; else the steps are listed", async () => {
    const task = await load();
    for (const wanted of ["2", "02", "02-node-selector-zero", "node-selector-zero"]) {
      expect(findStep(task, wanted).number).toBe(2);
    }
    for (const wanted of ["0", "4", "nope", ""]) {
      expect(() => findStep(task, wanted)).toThrow(
        expect.objectContaining({ text: expect.objectContaining({ key: "tasks.unknown-step" }) }),
      );
    }
  });
});

describe("a verifier", () => {
  const step = async (): Promise<Step> => (await load()).steps[0]!;
  const home = () => join(work, "home");

  it("is compiled once, and again when it or what it imports changes", async () => {
    const before = await loadVerifier(await step(), { home: home() });
    expect(before.checks.map(({ id }) => id)).toEqual(["sent", "not-stored", "desired-equals-eligible"]);
    await writeFile(join(folder, "steps/01-replicas-no-op/shared.ts"), 'export const id = "one";\n');
    const source =
      'import { defineStep, pass } from "k8s-practice";\nimport { id } from "./shared.ts";\nexport default defineStep({ checks: [{ id, run: () => pass() }] });\n';
    await edit("steps/01-replicas-no-op/verify.ts", () => source);
    expect((await loadVerifier(await step(), { home: home() })).checks[0]!.id).toBe("one");
    await writeFile(join(folder, "steps/01-replicas-no-op/shared.ts"), 'export const id = "two";\n');
    expect((await loadVerifier(await step(), { home: home() })).checks[0]!.id).toBe("two");
  });

  it("with a syntax error is reported with file, line and column", async () => {
    await edit("steps/01-replicas-no-op/verify.ts", () => "export default defineStep({\n  checks: [}\n");
    await expect(loadVerifier(await step(), { home: home() })).rejects.toMatchObject({
      kind: "usage",
      text: { key: "tasks.verifier-not-compiled" },
      options: { details: [expect.stringMatching(/verify\.ts:2:\d+: /)] },
    });
  });

  it("that exports no step is refused", async () => {
    await edit("steps/01-replicas-no-op/verify.ts", () => "export default 5;\n");
    await expect(loadVerifier(await step(), { home: home() })).rejects.toMatchObject({
      text: { key: "tasks.verifier-no-step" },
    });
  });

  it.each([
    ["no checks", "defineStep({ checks: [] })", /at least one check/],
    ["two checks of one id", 'defineStep({ checks: [{ id: "a", run() {} }, { id: "a", run() {} }] })', /two checks/],
    ["a need that comes later", 'defineStep({ checks: [{ id: "a", needs: ["b"], run() {} }] })', /needs b/],
  ])("with %s breaks while loading, with the reason", async (_what, expression, reason) => {
    await edit(
      "steps/01-replicas-no-op/verify.ts",
      () => `import { defineStep } from "k8s-practice";\nexport default ${expression} as never;\n`,
    );
    await expect(loadVerifier(await step(), { home: home() })).rejects.toMatchObject({
      text: { key: "tasks.verifier-broken", values: { reason: expect.stringMatching(reason) } },
    });
  });

  it("works from memory where nothing can be kept", async () => {
    await writeFile(join(work, "file"), "");
    expect((await loadVerifier(await step(), { home: join(work, "file") })).checks).toHaveLength(3);
  });
});
