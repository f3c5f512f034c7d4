import { describe, expect, test } from "vitest";
import { answerFor } from "../../../src/grade/submission/answers.ts";
import { inShard, readShard } from "../../../src/grade/submission/shard.ts";
import { findStepScript } from "../../../src/grade/submission/step-scripts.ts";

describe("the script of a step", () => {
  const find = (...files: string[]) => findStepScript(files, "k8s-daemonset", "01-replicas-no-op", 1);

  test.each(["01-replicas-no-op.sh", "1.sh", "01.sh", "k8s-daemonset/1.sh", "k8s-daemonset/01-replicas-no-op.sh"])(
    "may be called %s",
    (name) => {
      expect(find("README.md", "2.sh", name)).toEqual({ file: name, others: [] });
    },
  );

  test("in the task's folder wins, and the others are told", () => {
    expect(find("1.sh", "k8s-daemonset/01.sh")).toEqual({ file: "k8s-daemonset/01.sh", others: ["1.sh"] });
  });

  test("is missing when nothing is named for it", () => {
    expect(find("11.sh", "k8s-deployment/1.sh", "1.sh.txt").file).toBeUndefined();
  });
});

describe("answers.yaml", () => {
  test("answers by number or step, on the top level or under the task", () => {
    expect(answerFor("1: nothing\n", "t", "01-a", 1)).toBe("nothing");
    expect(answerFor("t: {01-a: 5}\n", "t", "01-a", 1)).toBe("5");
    expect(answerFor("t: {02-b: 5}\n", "t", "01-a", 1)).toBeUndefined();
  });

  test("that is broken is told as the student's", () => {
    expect(() => answerFor("[1", "t", "01-a", 1)).toThrow("answers-broken");
    expect(() => answerFor("- 1\n", "t", "01-a", 1)).toThrow("answers-broken");
  });
});

describe("shards", () => {
  test("come from the option, an Indexed Job or GitLab", () => {
    expect(readShard("2/5", {})).toEqual({ index: 2, count: 5 });
    expect(readShard(undefined, { JOB_COMPLETION_INDEX: "0", K8S_PRACTICE_SHARDS: "3" })).toEqual({
      index: 1,
      count: 3,
    });
    expect(readShard(undefined, { CI_NODE_INDEX: "3", CI_NODE_TOTAL: "3" })).toEqual({ index: 3, count: 3 });
    expect(readShard(undefined, {})).toBeUndefined();
    for (const bad of ["0/5", "6/5", "x", "1/0", "1.5/2"]) expect(() => readShard(bad, {})).toThrow("bad-shard");
  });

  test("share out every submission exactly once", () => {
    const names = Array.from({ length: 200 }, (_, i) => `student-${i}`);
    const shares = [1, 2, 3].map((index) => names.filter((n) => inShard(n, { index, count: 3 })));
    expect(shares.flat().sort()).toEqual([...names].sort());
    for (const share of shares) expect(share.length).toBeGreaterThan(40);
  });
});
