import { describe, expect, test } from "vitest";
import { ProcessGroupIsolation } from "../../../src/grade/isolation/process-group.ts";
import { Submission } from "./sandbox-fixture.ts";

describe("a submission in a process group", () => {
  const isolation = new ProcessGroupIsolation();

  test("runs in a copy, with a clean environment", async () => {
    const run = await new Submission('env | cut -d= -f1 | sort | tr "\\n" " "; echo; ls').run(isolation);
    expect(run.exitCode).toBe(0);
    expect(run.output).toMatch(/^HOME KUBECONFIG LANG PATH PWD SHLVL _ \n1\.sh\n$/);
  });

  test("is stopped when its time is over, with what it left in the background", async () => {
    const run = await new Submission("sleep 300 & sleep 300").run(isolation, { seconds: 0.5 });
    expect(run).toMatchObject({ exitCode: null, timedOut: true });
  });

  test("does not keep the grader waiting for a background process that holds the output", async () => {
    const run = await new Submission("setsid sleep 5 & echo done").run(isolation);
    expect(run).toMatchObject({ exitCode: 0, output: "done\n" });
  });

  test("is cut at the output limit", async () => {
    const run = await new Submission("head -c 3000 /dev/zero").run(isolation, { outputBytes: 1000 });
    expect(run.cut).toBe(2000);
  });
});
