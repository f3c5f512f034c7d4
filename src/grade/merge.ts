import { PracticeError } from "../messages/practice-error.ts";
import type { GradeResult } from "./result.ts";

export interface Merged {
  result: GradeResult;
  /** Shards of which no result was given, from 1. */
  missing: number[];
}

/**
 * Joins the results of shards into one, with the submissions in name order.
 *
 * @throws PracticeError of kind usage when results don't belong together: another number of shards, the same shard or
 * the same submission twice, or a task graded by different versions of itself
 */
export function mergeResults(files: readonly { file: string; result: GradeResult }[]): Merged {
  const first = files[0];
  if (first === undefined) throw new PracticeError("usage", "grade.merge-nothing");
  const shards = new Map<number, string>();
  const submissions = new Map<string, string>();
  const versions = new Map<string, { hash: string; file: string }>();
  for (const { file, result } of files) {
    if (result.shard?.count !== first.result.shard?.count) {
      throw new PracticeError("usage", "grade.merge-counts-differ", { first: first.file, second: file });
    }
    once(shards, result.shard?.index ?? 0, file, (other) => {
      if (result.shard !== undefined)
        throw new PracticeError("usage", "grade.merge-same-shard", { first: other, second: file });
    });
    for (const submission of result.submissions) {
      once(submissions, submission.submission, file, (other) => {
        const name = submission.submission;
        throw new PracticeError("usage", "grade.merge-same-submission", { name, first: other, second: file });
      });
      for (const { task, taskHash } of submission.tasks) {
        const known = versions.get(task);
        if (known !== undefined && known.hash !== taskHash) {
          throw new PracticeError("usage", "grade.merge-versions", { task, first: known.file, second: file });
        }
        versions.set(task, { hash: taskHash, file });
      }
    }
  }
  const count = first.result.shard?.count ?? 0;
  const missing = Array.from({ length: count }, (_, i) => i + 1).filter((index) => !shards.has(index));
  const all = files.map(({ result }) => result);
  return {
    missing,
    result: {
      schema: first.result.schema,
      runner: first.result.runner,
      started: all.map((r) => r.started).sort()[0]!,
      finished: all
        .map((r) => r.finished)
        .sort()
        .at(-1)!,
      submissions: all.flatMap((r) => r.submissions).sort((a, b) => (a.submission < b.submission ? -1 : 1)),
    },
  };
}

function once<K>(seen: Map<K, string>, key: K, file: string, again: (other: string) => void): void {
  const other = seen.get(key);
  if (other !== undefined) again(other);
  seen.set(key, file);
}
