import { describe, expect, test } from "vitest";
import { gradeAll } from "../../src/grade/grade-all.ts";
import type { SubmissionResult } from "../../src/grade/result.ts";
import type { Grader } from "../../src/grade/worker/grader.ts";

const say = () => "broke";
const passed = (name: string): SubmissionResult => ({
  submission: name,
  outcome: "passed",
  points: { earned: 1, possible: 1 },
  tasks: [],
  remarks: [],
});
const folders = (...names: string[]) => names.map((name) => ({ name, folder: `/${name}` }));

/** A grader that dies on the submissions `dies` says, as often as it says. */
function fakeGraders(dies: Record<string, number> = {}) {
  const running = new Set<Grader>();
  const seen = { most: 0, started: 0 };
  const start = async (): Promise<Grader> => {
    const grader: Grader = {
      async grade({ name }) {
        await new Promise((resolve) => setImmediate(resolve));
        if ((dies[name] ?? 0) > 0) {
          dies[name] = dies[name]! - 1;
          throw new Error("died");
        }
        return passed(name);
      },
      async close() {
        running.delete(grader);
      },
    };
    running.add(grader);
    seen.started += 1;
    seen.most = Math.max(seen.most, running.size);
    return grader;
  };
  return { start, running, seen };
}

describe("grading many submissions", () => {
  const run = (
    names: string[],
    jobs: number,
    graders: ReturnType<typeof fakeGraders>,
    signal = new AbortController().signal,
  ) => gradeAll({ submissions: folders(...names), jobs, startGrader: graders.start, say, signal, onResult: () => {} });

  test("loses none and keeps their order, whatever the number of jobs", async () => {
    const names = Array.from({ length: 25 }, (_, i) => `s${i}`);
    for (const jobs of [1, 2, 7, 100]) {
      const graders = fakeGraders();
      expect((await run(names, jobs, graders)).map((r) => r.submission)).toEqual(names);
      expect(graders.running.size).toBe(0);
      expect(graders.seen.most).toBeLessThanOrEqual(Math.min(jobs, names.length));
    }
  });

  test("replaces a grader that dies and tries its submission once more", async () => {
    const graders = fakeGraders({ b: 1 });
    expect((await run(["a", "b", "c"], 1, graders)).map((r) => r.outcome)).toEqual(["passed", "passed", "passed"]);
    expect(graders.seen.started).toBe(2);
  });

  test("reports an error, never 0 points, where it dies twice, and goes on", async () => {
    const results = await run(["a", "b", "c"], 1, fakeGraders({ b: 2 }));
    expect(results.map((r) => r.outcome)).toEqual(["passed", "error", "passed"]);
    expect(results[1]!.remarks).toEqual(["broke"]);
  });

  test("ends its graders when it is interrupted", async () => {
    const graders = fakeGraders();
    const stop = new AbortController();
    stop.abort(new Error("stop"));
    await expect(run(["a"], 1, graders, stop.signal)).rejects.toThrow("stop");
    expect(graders.running.size).toBe(0);
  });
});
