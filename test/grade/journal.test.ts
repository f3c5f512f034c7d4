import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Journal } from "../../src/grade/journal.ts";
import { mergeResults } from "../../src/grade/merge.ts";
import { sampleResult } from "./sample-result.ts";

describe("the journal of a grading run", () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "k8s-practice-journal-"));
    file = join(folder, "results.json");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const [ada, mallory, grace] = sampleResult().submissions;

  test("keeps what was graded to the end when the job is killed, even in the middle of a line", () => {
    const journal = new Journal(file);
    journal.add(ada!, true);
    journal.add(mallory!, false);
    journal.close();
    appendFileSync(`${file}.journal`, '{"complete":true,"result":{"submis');
    expect([...new Journal(file).readComplete().keys()]).toEqual(["ada"]);
  });

  test("tries again what ended in an error of ours", () => {
    const journal = new Journal(file);
    journal.add(ada!, true);
    journal.add(grace!, true);
    journal.close();
    expect([...new Journal(file).readComplete().keys()]).toEqual(["ada"]);
  });

  test("ends in the whole result, and is read from there", async () => {
    const journal = new Journal(file);
    journal.add(ada!, true);
    await journal.finish(sampleResult());
    expect(existsSync(`${file}.journal`)).toBe(false);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(sampleResult());
    expect([...new Journal(file).readComplete().keys()]).toEqual(["ada", mallory!.submission]);
  });
});

describe("merging shards", () => {
  const shard = (index: number, names: number[]) => ({
    file: `shard-${index}.json`,
    result: {
      ...sampleResult(),
      shard: { index, count: 3 },
      submissions: sampleResult().submissions.filter((_, i) => names.includes(i)),
    },
  });

  test("joins them in name order and says which are missing", () => {
    const { result, missing } = mergeResults([shard(3, [2]), shard(1, [0])]);
    expect(result.submissions.map((s) => s.submission)).toEqual(["ada", "grace"]);
    expect(missing).toEqual([2]);
  });

  test("refuses a shard or a submission that comes twice", () => {
    expect(() => mergeResults([shard(1, [0]), shard(1, [1])])).toThrow("merge-same-shard");
    expect(() => mergeResults([shard(1, [0]), shard(2, [0])])).toThrow("merge-same-submission");
  });

  test("refuses shards of other runs, or of another version of the task", () => {
    const other = shard(2, [2]);
    other.result.shard.count = 4;
    expect(() => mergeResults([shard(1, [0]), other])).toThrow("merge-counts-differ");
    const changed = shard(2, [2]);
    changed.result.submissions[0]!.tasks[0]!.taskHash = "another";
    expect(() => mergeResults([shard(1, [0]), changed])).toThrow("merge-versions");
  });
});
