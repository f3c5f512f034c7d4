import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandName, commands } from "../../src/cli/commands.ts";
import { root, Workplace } from "./workplace.ts";

let desk: Workplace;
beforeAll(async () => {
  desk = await Workplace.make({ kubectl: false });
  // Builds when the work tree is newer than dist/, so that no test below pays for it.
  await desk.run(["--version"], { timeout: 120_000 });
}, 120_000);
afterAll(() => rm(desk.folder, { recursive: true, force: true }));

const schema = JSON.parse(await readFile(join(root, "schema/output.schema.json"), "utf8"));
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema(schema, "output");

/** Exactly one JSON document, of the published shape. */
function expectDocument(stdout: string, name: string): void {
  const document = JSON.parse(stdout);
  const validate = ajv.compile({ $ref: `output#/$defs/${name}` });
  expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
}

describe("the command line", () => {
  it("runs from any folder, through a link, with spaces in the path", async () => {
    const link = join(desk.folder, "a link");
    await symlink(join(root, "run"), link);
    const ran = await desk.command(link, ["--version"], { cwd: "/" });
    expect(ran).toMatchObject({ code: 0, stdout: "0.1.0" });
  });

  it("without a command shows the help and exits with 2", async () => {
    const ran = await desk.run([]);
    expect(ran.code).toBe(2);
    expect(ran.stdout).toBe("");
    expect(ran.stderr).toContain("./run start <task>");
  });

  it.each(commands.filter((entry) => entry.summary !== undefined).map(commandName))("%s has a --help", async (name) => {
    const ran = await desk.run([name, "--help"]);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain(`./run ${name}`);
    expect(ran.stdout).not.toMatch(/undefined|cli\.|clusters\.|grade\./);
  });

  it.each([
    [["verfiy"], "Did you mean: verify?"],
    [["--cluster", "embedded", "verfiy"], "Did you mean: verify?"],
    [["xylophone"], "There is no command “xylophone”."],
    [["verify", "--tiemout", "5"], "no such option: tiemout"],
    [["list", "-o", "yaml"], 'was given "yaml"'],
    [["list", "--lang", "xx"], "Languages: en, ru, zh, de."],
    [["start"], "arguments"],
    [["start", "k8s-daemonset", "--restart", "--continue"], "can't be used together"],
    [["start", "k8s-deamonset"], "Did you mean: k8s-daemonset?"],
    [["start", "../../etc"], "There is no task “../../etc”."],
    [["show", "k8s-daemonset", "9"], "has no step “9”"],
    [["verify"], "No task is under way."],
    [["verify", "k8s-daemonset"], "has not been started"],
    [["verify", "--timeout", "soon"], "--timeout takes a number"],
    [["hint"], "No task is under way."],
    [["stop"], "No task is under way."],
    [["reset"], "No task is under way."],
    [["solution"], "No task is under way."],
    [["--cluster", "cloud", "start", "k8s-daemonset"], 'no kind of cluster "cloud"'],
  ])("%j is wrong usage and says what to do", async (args, words) => {
    const ran = await desk.run(args);
    expect(ran.stderr).toContain(words);
    expect(ran.stderr).toMatch(/→ /);
    expect(ran.stdout).toBe("");
    expect(ran.code).toBe(2);
  });

  it("says an error as a document with -o json", async () => {
    const ran = await desk.run(["verify", "-o", "json"]);
    expect(ran.code).toBe(2);
    expectDocument(ran.stdout, "error");
    expect(JSON.parse(ran.stdout).error.code).toBe("cli.no-active");
  });

  it.each([
    [["list"], "list"],
    [["show", "k8s-daemonset"], "task"],
    [["show", "k8s-daemonset", "2"], "step"],
    [["status"], "status"],
  ])("%j -o json is one document of the published shape", async (args, name) => {
    const ran = await desk.run([...args, "-o", "json"]);
    expect(ran.code).toBe(0);
    expectDocument(ran.stdout, name);
  });

  it("has no colours where no terminal is, and has them when forced, but never against NO_COLOR", async () => {
    const escape = "\u001b[";
    expect((await desk.run(["list"])).stdout).not.toContain(escape);
    const forced = desk.with({ FORCE_COLOR: "1" });
    expect((await forced.run(["list"])).stdout).toContain(escape);
    expect((await forced.run(["list", "--no-color"])).stdout).not.toContain(escape);
    expect((await forced.with({ NO_COLOR: "1" }).run(["list"])).stdout).not.toContain(escape);
  });

  it("shows a stack only with --debug", async () => {
    expect((await desk.run(["verify"])).stderr).not.toContain("    at ");
    expect((await desk.run(["verify", "--debug"])).stderr).toContain("    at ");
  });

  it("does not mind a reader that goes away", async () => {
    const ran = await desk.shell("./run list | head -n 0; exit ${PIPESTATUS[0]}");
    expect(ran.stderr).toBe("");
    expect(ran.code).toBe(0);
  });

  it("completes commands, tasks and options in bash", async () => {
    const complete = async (...words: string[]) => {
      const typed = words.map((word) => `'${word}'`).join(" ");
      const script = `eval "$(./run completion bash)"; COMP_WORDS=(./run ${typed}); COMP_CWORD=${words.length}; _k8s_practice; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return (await desk.shell(script)).stdout.split("\n").filter(Boolean);
    };
    expect(await complete("ver")).toEqual(["verify"]);
    const tasks = (await readdir(join(root, "tasks"))).filter((name) => name.startsWith("k8s")).sort();
    expect(tasks).toContain("k8s-daemonset");
    expect((await complete("start", "k8s")).sort()).toEqual(tasks);
    expect(await complete("start", "k8s-daemonset-v")).toEqual(["k8s-daemonset-vs-deployment"]);
    expect(await complete("start", "k8s-daemonset", "--re")).toEqual(["--restart", "--recreate"]);
    expect(await complete("--lang", "d")).toEqual(["de"]);
  });
});

describe("a course's own tasks", () => {
  it("come first, and a broken one is listed as such", async () => {
    const course = join(desk.folder, "course");
    await cp(join(root, "tasks/k8s-daemonset"), join(course, "good"), { recursive: true });
    const yaml = await readFile(join(course, "good/task.yaml"), "utf8");
    await writeFile(join(course, "good/task.yaml"), yaml.replace("name: k8s-daemonset", "name: good"));
    await mkdir(join(course, "broken"));
    await writeFile(join(course, "broken/task.yaml"), "apiVersion: [\n");
    const ran = await desk.run(["list", "--tasks", course]);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/broken +not readable: .*broken\/task\.yaml:\d+:\d+: not valid YAML/);
    expect(ran.stdout).toMatch(/good +A DaemonSet counts nodes/);
    expect(ran.stdout).toContain("k8s-daemonset");
    const start = await desk.run(["start", "broken", "--tasks", course]);
    expect(start.code).toBe(2);
    expect(start.stderr).toMatch(/task\.yaml:\d+:\d+: not valid YAML/);
  });
});

describe("the home folder", () => {
  const attempt = (fields: object) =>
    JSON.stringify({
      schemaVersion: 1,
      task: "k8s-daemonset",
      taskHash: "x",
      cluster: "embedded",
      namespace: "k8s-daemonset",
      state: "under-way",
      startedAt: 1,
      currentStep: "01-replicas-no-op",
      steps: {},
      nodes: [],
      ...fields,
    });
  const prepared = async (name: string, file: string) => {
    const home = join(desk.folder, name);
    await mkdir(join(home, "attempts"), { recursive: true });
    await writeFile(join(home, "active.json"), '{"schemaVersion":1,"task":"k8s-daemonset"}');
    await writeFile(join(home, "attempts/k8s-daemonset.json"), file);
    return { home, there: desk.with({ K8S_PRACTICE_HOME: home }) };
  };

  it("with a damaged file: it is set aside, told, and the command goes on", async () => {
    const { home, there } = await prepared("damaged", "{ torn");
    const ran = await there.run(["status"]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("set aside as");
    const names = await readdir(join(home, "attempts"));
    expect(names).toEqual([expect.stringMatching(/^k8s-daemonset\.json\.damaged-/)]);
    expect(await readFile(join(home, "attempts", names[0]!), "utf8")).toBe("{ torn");
  });

  it("written by a newer version: refused with words, nothing touched", async () => {
    const { home, there } = await prepared("newer", attempt({ schemaVersion: 7 }));
    const ran = await there.run(["status"]);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain("newer k8s-practice");
    expect(await readFile(join(home, "attempts/k8s-daemonset.json"), "utf8")).toBe(attempt({ schemaVersion: 7 }));
  });

  it("that can't be written: an error of the environment that names it", async () => {
    await writeFile(join(desk.folder, "a-file"), "");
    const ran = await desk.run([
      "start",
      "k8s-daemonset",
      "--cluster",
      "embedded",
      "--home",
      join(desk.folder, "a-file/home"),
    ]);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain("a-file/home");
  });

  it("on a full disk: an error that says so, and the old state unharmed", async () => {
    const { home, there } = await prepared("full", attempt({}));
    // A file size limit of 0 is what a full disk looks like to a process, on any file system and without being root.
    const script = `trap '' XFSZ; ulimit -f 0; exec node '${join(root, "dist/run.js")}' hint`;
    const ran = await there.shell(script);
    expect(ran.stderr).toContain("disk is full");
    expect(ran.code).toBe(3);
    expect(await readFile(join(home, "attempts/k8s-daemonset.json"), "utf8")).toBe(attempt({}));
    expect((await readdir(join(home, "attempts"))).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("whose cluster is not running: verify says how to bring it back, with the environment's exit code", async () => {
    const { there } = await prepared("gone", attempt({}));
    const ran = await there.run(["verify"]);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain("is not running");
    expect(ran.stderr).toContain("./run start k8s-daemonset --continue");
  });

  it("with an attempt under way: start asks for a clear word, and changes nothing", async () => {
    const { home, there } = await prepared("under-way", attempt({}));
    const ran = await there.run(["start", "k8s-daemonset", "--cluster", "embedded"]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain("is under way: step 1 of 3");
    expect(ran.stderr).toContain("--continue");
    expect(await readFile(join(home, "attempts/k8s-daemonset.json"), "utf8")).toBe(attempt({}));
  });

  it("gives hints one at a time, and the solution only when asked for clearly", async () => {
    const { there } = await prepared("hints", attempt({}));
    expect((await there.run(["hint"])).stdout).toContain("Hint 1 of 3");
    expect((await there.run(["hint"])).stdout).toContain("Hint 2 of 3");
    const last = await there.run(["hint"]);
    expect(last.stdout).toContain("Hint 3 of 3");
    expect(last.stdout).toContain("kubectl patch daemonset node-agent");
    expect((await there.run(["solution"])).code).toBe(2);
    expect((await there.run(["solution", "--yes"])).stdout).toContain("kubectl patch daemonset node-agent");
    expectDocument((await there.run(["hint", "-o", "json"])).stdout, "hint");
    expectDocument((await there.run(["solution", "-o", "json"])).stdout, "solution");
  });

  it("used by two commands at once: the second waits and says for whom", async () => {
    const { home, there } = await prepared("busy", attempt({}));
    const lock = JSON.stringify({ pid: process.pid, began: "", command: "start k8s-daemonset" });
    await writeFile(join(home, "command.lock"), lock);
    const ran = await there.run(["hint"]);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain(`start k8s-daemonset (process ${process.pid})`);
  });
});
