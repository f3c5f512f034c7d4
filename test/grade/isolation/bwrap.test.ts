import { spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BwrapIsolation } from "../../../src/grade/isolation/bwrap.ts";
import { aloneOrStop, bwrapWorks, LineServer, Submission } from "./sandbox-fixture.ts";

describe.skipIf(!bwrapWorks)("a submission in bubblewrap", () => {
  const isolation = new BwrapIsolation();
  let cluster: LineServer;
  let other: LineServer;
  beforeAll(async () => {
    cluster = await LineServer.start("cluster");
    other = await LineServer.start("other");
  });
  afterAll(() => {
    isolation.close();
    cluster.close();
    other.close();
  });

  test("runs with bash, without a shebang or a run bit, and its exit code is told", async () => {
    const run = await new Submission('echo out; echo err >&2; [[ -n "$BASH_VERSION" ]] && exit 7').run(isolation);
    expect(run).toMatchObject({ exitCode: 7, timedOut: false, output: "out\nerr\n", cut: 0 });
  });

  test("has an environment of PATH, HOME, KUBECONFIG and LANG only, and no standard input", async () => {
    process.env.CI_SECRET = "s3cret";
    const run = await new Submission("env | cut -d= -f1 | sort; cat").run(isolation);
    delete process.env.CI_SECRET;
    expect(run.output.split("\n").filter((name) => !["", "_", "PWD", "SHLVL"].includes(name))).toEqual([
      "HOME",
      "KUBECONFIG",
      "LANG",
      "PATH",
    ]);
  });

  test("reaches the cluster's port and no other one of the loopback", async () => {
    const before = other.connections;
    const script = `cat < /dev/tcp/127.0.0.1/${cluster.port}; cat < /dev/tcp/127.0.0.1/${other.port} || echo refused`;
    const run = await new Submission(script, cluster.port).run(isolation);
    expect(run.output).toContain("cluster");
    expect(run.output).toContain("refused");
    expect(other.connections).toBe(before);
  });

  test("prints without end and is cut at the limit, with the rest counted", async () => {
    const run = await new Submission("head -c 5000000 /dev/zero | tr '\\0' x").run(isolation);
    expect(run.output).toHaveLength(1024 * 1024);
    expect(run.cut).toBe(5_000_000 - 1024 * 1024);
  });

  test("loops without end and is stopped when its time is over", async () => {
    const run = await new Submission("echo begun; while :; do :; done").run(isolation, { seconds: 1 });
    expect(run).toMatchObject({ exitCode: null, timedOut: true, output: "begun\n" });
  });

  test("storms with 2,000 processes and gets no further than the limit", async () => {
    const script = `${aloneOrStop}
      for i in $(seq 2000); do sleep 30 & done 2>/dev/null
      echo never`;
    const run = await new Submission(script).run(isolation, { seconds: 2, processes: 64 });
    expect(run.output).not.toContain("99");
    expect(run.output).not.toContain("never");
    expect(run.timedOut || run.exitCode !== 0).toBe(true);
  });

  test("kills every process it can see, and only itself is gone", async () => {
    const sentinel = spawn("sleep", ["60"]);
    const run = await new Submission(`${aloneOrStop}\nkill -9 -1; echo survived`).run(isolation);
    expect(run.exitCode).not.toBe(0);
    expect(run.exitCode).not.toBe(99);
    expect(sentinel.exitCode).toBeNull();
    expect(sentinel.kill("SIGTERM")).toBe(true);
  });

  test("sees no process but its own, and no environment in /proc but its own", async () => {
    const run = await new Submission(
      "ls -d /proc/[0-9]* | wc -l; cat /proc/*/environ | tr '\\0' '\\n' | grep -c npm_",
    ).run(isolation);
    const [processes, leaked] = run.output.trim().split("\n").map(Number);
    expect(processes).toBeLessThan(10);
    expect(leaked).toBe(0);
  });

  test("can't read another student's folder, the project or the grader's home", async () => {
    const submission = new Submission(
      `ls ../other-student /home /root ${process.cwd()} 2>&1; cat ../other-student/answer ${process.cwd()}/package.json; ls /work`,
    );
    mkdirSync(join(submission.folder, "other-student"));
    writeFileSync(join(submission.folder, "other-student/answer"), "the answer");
    const run = await submission.run(isolation);
    expect(run.output).not.toContain("the answer");
    expect(run.output).not.toContain('k8s-practice"');
    expect(run.output.trim().split("\n").at(-1)).toBe("1.sh");
  });

  test("can't write outside its folder, and what it writes to /tmp is gone", async () => {
    const run = await new Submission(
      "touch /usr/k8s-practice-mark /etc/k8s-practice-mark /opt/k8s-practice/mark; touch /tmp/k8s-practice-mark && echo tmp",
    ).run(isolation);
    expect(run.output).toContain("tmp");
    for (const path of ["/usr", "/etc", "/tmp"]) expect(existsSync(`${path}/k8s-practice-mark`)).toBe(false);
  });

  test("replaces kubectl for itself at most", async () => {
    const run = await new Submission(
      "echo 'echo fake' > kubectl; chmod +x kubectl; PATH=.:$PATH kubectl; : > $(command -v kubectl) || echo kept",
    ).run(isolation);
    expect(run.output).toContain("fake");
    expect(run.output).toContain("kept");
  });

  test("edits its kubeconfig and harms nobody", async () => {
    const submission = new Submission("echo broken > $KUBECONFIG && echo edited");
    expect((await submission.run(isolation)).output).toBe("edited\n");
  });

  test("leaves a process in the background, which ends with it", async () => {
    const mark = `k8s-practice-${process.pid}-${cluster.port}`;
    const run = await new Submission(`(exec -a ${mark} sleep 300) & disown; echo done`).run(isolation);
    expect(run).toMatchObject({ exitCode: 0, output: "done\n" });
    const left = spawn("pgrep", ["-f", mark], { stdio: "ignore" });
    expect(await new Promise((resolve) => left.on("exit", resolve))).toBe(1);
  });

  test("fills memory and is stopped", async () => {
    const run = await new Submission("head -c 600M /dev/zero | tail; sleep 5; echo survived").run(isolation, {
      memoryBytes: 100 * 1024 * 1024,
    });
    expect(run.output).toContain("out of memory");
    expect(run.output).not.toContain("survived");
  });

  test("fills its disk and meets the limit", async () => {
    const run = await new Submission("for i in 1 2 3; do head -c 6M /dev/zero > f$i || echo full; done").run(
      isolation,
      {
        fileBytes: 10 * 1024 * 1024,
      },
    );
    expect(run.output).toContain("full");
  });

  test("is stopped when the grader is interrupted", async () => {
    const stop = new AbortController();
    const running = new Submission("sleep 30").run(isolation, {}, stop.signal);
    stop.abort(new Error("interrupted"));
    await expect(running).rejects.toThrow();
  });
});
