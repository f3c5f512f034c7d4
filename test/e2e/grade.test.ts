import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEmbeddedCluster } from "../../src/embedded/cluster.ts";
import type { GradeResult } from "../../src/grade/result.ts";
import { bwrapWorks } from "../grade/isolation/sandbox-fixture.ts";
import { root, Workplace } from "./workplace.ts";

const steps = readdirSync(join(root, "tasks/k8s-daemonset/steps")).sort();
const schema = JSON.parse(readFileSync(join(root, "schema/grade-result.schema.json"), "utf8"));
const valid = new Ajv({ formats: { "date-time": true } }).compile(schema);

describe.skipIf(!bwrapWorks)("./run grade", () => {
  let desk: Workplace;
  beforeAll(async () => {
    desk = await Workplace.make();
    // Sandboxes need more of the machine than a learner's desk shows.
    desk.env["PATH"] = `${desk.env["PATH"]}:/usr/bin:/bin:/usr/sbin:/sbin`;
  });
  afterAll(() => desk.leave());

  /** A submission folder; a text stands for a script, `true` for the reference solution. */
  function submission(name: string, scripts: Record<string, string | true>): string {
    const folder = join(desk.folder, name);
    mkdirSync(folder, { recursive: true });
    for (const [file, content] of Object.entries(scripts)) {
      const step = steps[Number.parseInt(file, 10) - 1]!;
      if (content === true) cpSync(join(root, "tasks/k8s-daemonset/steps", step, "solution.sh"), join(folder, file));
      else writeFileSync(join(folder, file), content);
    }
    return folder;
  }
  const wrong = (step: number, name: string) =>
    readFileSync(join(root, "tasks/k8s-daemonset/steps", steps[step - 1]!, "wrong", `${name}.sh`), "utf8");
  async function grade(...args: string[]): Promise<{ code: number | undefined; result: GradeResult; stderr: string }> {
    const ran = await desk.run(["grade", "k8s-daemonset", "-o", "json", ...args], { timeout: 120_000 });
    const result = (ran.stdout === "" ? undefined : JSON.parse(ran.stdout)) as GradeResult;
    return { code: ran.code, result, stderr: ran.stderr };
  }

  test("gives the reference solutions every point, and a document that fits its schema", async () => {
    const folder = submission("right", { "1.sh": true, "2.sh": true, "3.sh": true });
    const { code, result } = await grade("--submission", folder);
    expect(result.submissions[0]).toMatchObject({ outcome: "passed", submission: "right" });
    expect(result.submissions[0]!.points.earned).toBe(result.submissions[0]!.points.possible);
    expect(valid(result), JSON.stringify(valid.errors)).toBe(true);
    expect(code).toBe(0);
  });

  test("names what is wrong, keeps partial credit, and judges the steps after a failed one", async () => {
    const folder = submission("partly", { "1.sh": wrong(1, "scale"), "2.sh": true, "3.sh": true });
    const { code, result } = await grade("--submission", folder);
    const [task] = result.submissions[0]!.tasks;
    expect(task!.steps.map((step) => step.outcome)).toEqual(["failed", "passed", "passed"]);
    expect(task!.steps[0]!.checks[0]).toMatchObject({ id: "sent", outcome: "failed" });
    expect(task!.steps[0]!.checks[0]!.message).toContain("kubectl scale");
    expect(task!.points.earned).toBeGreaterThan(0);
    expect(code).toBe(1);
  });

  test("stops at the first step that does not pass when the course wants that", async () => {
    const folder = submission("first", { "1.sh": wrong(1, "scale"), "2.sh": true, "3.sh": true });
    const { result } = await grade("--submission", folder, "--stop-at-first");
    expect(result.submissions[0]!.tasks[0]!.steps.map((s) => s.outcome)).toEqual(["failed", "blocked", "blocked"]);
  });

  test("is not fooled by a status that was patched to look finished", async () => {
    const status = '{"status":{"desiredNumberScheduled":3,"numberReady":3,"currentNumberScheduled":3}}';
    const folder = submission("faker", {
      "3.sh": `kubectl patch ds node-agent --subresource=status --type=merge -p '${status}'\n`,
    });
    const { result } = await grade("--submission", folder, "--settle", "5s");
    expect(result.submissions[0]!.tasks[0]!.steps[2]!.outcome).toBe("failed");
  });

  test("keeps a submission that deletes everything to itself", async () => {
    submission("class/destroyer", {
      "1.sh": "kubectl delete nodes --all; kubectl delete ns k8s-daemonset; kubectl delete ns kube-system",
    });
    submission("class/right", { "1.sh": true, "2.sh": true, "3.sh": true });
    const { code, result } = await grade("--submissions", join(desk.folder, "class"), "--jobs", "2");
    expect(result.submissions.map((s) => [s.submission, s.outcome])).toEqual([
      ["destroyer", "failed"],
      ["right", "passed"],
    ]);
    expect(code).toBe(1);
  });

  test("writes several reports at once", async () => {
    const folder = submission("reports", { "1.sh": true });
    const ran = await desk.run(
      [
        "grade",
        "k8s-daemonset",
        "--submission",
        folder,
        "-r",
        "junit=out/r.xml",
        "-r",
        "html=out/r.html",
        "-r",
        "github",
      ],
      {
        env: {
          ...desk.env,
          GITHUB_OUTPUT: join(desk.folder, "gh-out"),
          GITHUB_STEP_SUMMARY: join(desk.folder, "gh-sum"),
        },
      },
    );
    expect(ran.stdout).toContain("::error ");
    expect(readFileSync(join(desk.folder, "gh-out"), "utf8")).toMatch(/^points=\d/);
    expect(readFileSync(join(desk.folder, "gh-sum"), "utf8")).toContain("reports");
    expect(readFileSync(join(desk.folder, "out/r.xml"), "utf8")).toContain("<testsuites");
    expect(readFileSync(join(desk.folder, "out/r.html"), "utf8")).toContain("<!doctype html>");
  });

  test("refuses what can't be graded with exit code 2 and says why", async () => {
    mkdirSync(join(desk.folder, "nothing"), { recursive: true });
    const cases: [string[], string][] = [
      [["grade", "k8s-daemonset", "--submission", join(desk.folder, "nothing")], "nothing to grade"],
      [["grade", "k8s-daemonset", "--submissions", join(desk.folder, "nothing")], "no submission"],
      [["grade", "k8s-daemonset"], "--submission DIR"],
      [["grade", "no-such-task", "--submission", join(desk.folder, "nothing")], "no-such-task"],
      [["grade", "k8s-daemonset", "--submission", "x", "-r", "pdf"], "pdf"],
      [["grade", "k8s-daemonset", "--submission", "x", "--shard", "3/2"], "3/2"],
    ];
    for (const [args, text] of cases) {
      const ran = await desk.run(args);
      expect(ran.stderr, args.join(" ")).toContain(text);
      expect(ran.code, args.join(" ")).toBe(2);
    }
  });

  test("shares out by shards, merges them, and says which is missing", async () => {
    for (const name of ["s1", "s2", "s3", "s4"]) submission(`many/${name}`, { "1.sh": true });
    const many = ["--submissions", join(desk.folder, "many")];
    for (const shard of ["1/2", "2/2"]) {
      await grade(...many, "--shard", shard, "--results", join(desk.folder, `shard-${shard[0]}.json`));
    }
    const files = [1, 2].map((i) => join(desk.folder, `shard-${i}.json`));
    const merged = await desk.run(["report", "merge", "-o", "json", ...files]);
    expect((JSON.parse(merged.stdout) as GradeResult).submissions.map((s) => s.submission)).toEqual([
      "s1",
      "s2",
      "s3",
      "s4",
    ]);
    const half = await desk.run(["report", "merge", files[0]!]);
    expect(half.stderr).toContain("Shard 2 is missing");
    expect(half.code).toBe(3);
  });

  test("keeps what was graded when it is interrupted, and goes on from there", async () => {
    for (const name of ["a", "b"]) submission(`resume/${name}`, { "1.sh": true });
    submission("resume/c", { "1.sh": "sleep 30" });
    const results = join(desk.folder, "resume.json");
    const args = ["grade", "k8s-daemonset", "--submissions", join(desk.folder, "resume"), "--results", results];
    const running = execa(join(root, "run"), args, {
      env: desk.env,
      extendEnv: false,
      reject: false,
      cwd: desk.folder,
    });
    await until(
      () =>
        existsSync(`${results}.journal`) &&
        readFileSync(`${results}.journal`, "utf8").split('"complete":true').length > 2,
    );
    running.kill("SIGINT");
    expect((await running).exitCode).toBe(130);
    submission("resume/c", { "1.sh": "true" });
    const { result } = await grade("--submissions", join(desk.folder, "resume"), "--results", results, "--resume");
    expect(result.submissions.map((s) => s.submission)).toEqual(["a", "b", "c"]);
    expect(existsSync(`${results}.journal`)).toBe(false);
  });

  test("tries again when one of its processes dies, and loses no submission", async () => {
    for (let i = 0; i < 4; i += 1) submission(`dying/s${i}`, { "1.sh": "sleep 0.5" });
    const args = ["grade", "k8s-daemonset", "--submissions", join(desk.folder, "dying"), "--jobs", "2", "-o", "json"];
    const running = execa(join(root, "run"), args, {
      env: desk.env,
      extendEnv: false,
      reject: false,
      cwd: desk.folder,
    });
    let worker: string | undefined;
    await until(() => {
      try {
        worker = execFileSync("pgrep", ["-P", String(running.pid), "-f", "grade-worker"], { encoding: "utf8" }).split(
          "\n",
        )[0];
      } catch {
        worker = undefined;
      }
      return worker !== undefined && worker !== "";
    });
    process.kill(Number(worker), "SIGKILL");
    const result = JSON.parse(String((await running).stdout)) as GradeResult;
    expect(result.submissions.map((s) => [s.submission, s.outcome])).toEqual(
      ["s0", "s1", "s2", "s3"].map((name) => [name, "failed"]),
    );
  });

  test("grades on somebody else's cluster in a namespace of its own, by answers where there is no trace", async () => {
    const nodes = ["school-control-plane", "school-worker", "school-worker2"];
    const school = await startEmbeddedCluster({
      name: "school",
      nodes: nodes.map((name) => ({ name, controlPlane: name === nodes[0] })),
    });
    try {
      const env = { ...desk.env, KUBECONFIG: await desk.write("school-kubeconfig", school.kubeconfig) };
      const folder = submission("away", { "2.sh": true, "3.sh": true });
      writeFileSync(join(folder, "answers.yaml"), "1: ignored\n");
      const args = ["grade", "k8s-daemonset", "--submission", folder, "--cluster", "context:school", "-o", "json"];
      const refused = await desk.run(args, { env });
      expect(refused.code).not.toBe(0);
      const ran = await desk.run([...args, "--yes", "--allow-nodes"], { env });
      const result = JSON.parse(ran.stdout) as GradeResult;
      expect(result.submissions[0]!.tasks[0]!.steps.map((step) => step.outcome)).toEqual([
        "passed",
        "passed",
        "passed",
      ]);
      expect(result.submissions[0]!.tasks[0]!.cluster.kind).toBe("context:school");
      const left = school.store.list({ group: "", resource: "namespaces" }).map((ns) => ns.metadata.name);
      expect(left.filter((name) => name!.startsWith("k8s-daemonset"))).toEqual([]);
    } finally {
      await school.close();
    }
  });

  test("reports one's own attempt, and finds a report that was changed", async () => {
    const started = await desk.run(["start", "k8s-daemonset", "--cluster", "embedded"]);
    expect(started.code, started.stderr).toBe(0);
    const report = join(desk.folder, "own.json");
    expect((await desk.run(["report", "-r", `json=${report}`])).code).toBe(0);
    const made = JSON.parse(readFileSync(report, "utf8")) as GradeResult;
    expect(valid(made), JSON.stringify(valid.errors)).toBe(true);
    expect((await desk.run(["report", "--check", report])).code).toBe(0);
    made.submissions[0]!.points.earned += 1;
    writeFileSync(report, JSON.stringify(made));
    const checked = await desk.run(["report", "--check", report]);
    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain("changed");
  });
});

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 30_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error("it never came to be");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
