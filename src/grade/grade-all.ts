import { message } from "../messages/catalogue.ts";
import type { Say } from "../messages/translator.ts";
import type { SubmissionResult } from "./result.ts";
import type { Grader, SubmissionFolder } from "./worker/grader.ts";

export interface GradeAll {
  submissions: readonly SubmissionFolder[];
  /** How many at a time. */
  jobs: number;
  startGrader(): Promise<Grader>;
  say: Say;
  signal: AbortSignal;
  /** Told after every step (`complete` false) and every submission (true). */
  onResult(result: SubmissionResult, complete: boolean): void;
}

/**
 * Grades all submissions with `jobs` graders, in the order given. A grader that dies is replaced and its submission
 * tried once more; when that fails too, the submission's outcome is `error`. No submission is lost: the answer has one
 * result for each, in the same order.
 *
 * @throws whatever starting the first grader throws; the signal's reason when it aborts
 */
export async function gradeAll(run: GradeAll): Promise<SubmissionResult[]> {
  const results = new Array<SubmissionResult>(run.submissions.length);
  let next = 0;

  const work = async (first: Grader) => {
    let grader: Grader | undefined = first;
    try {
      while (next < run.submissions.length) {
        run.signal.throwIfAborted();
        const index = next++;
        const submission = run.submissions[index]!;
        for (let tries = 1; ; tries += 1) {
          try {
            grader ??= await run.startGrader();
            results[index] = await grader.grade(submission, (partial) => run.onResult(partial, false));
            break;
          } catch (error) {
            run.signal.throwIfAborted();
            await grader?.close().catch(() => undefined);
            grader = undefined;
            if (tries === 1) continue;
            results[index] = lost(submission, error, run.say);
            break;
          }
        }
        run.onResult(results[index]!, true);
      }
    } finally {
      await grader?.close().catch(() => undefined);
    }
  };

  const start = () => run.startGrader().catch(() => run.startGrader());
  const jobs = Math.max(1, Math.min(run.jobs, run.submissions.length));
  const workers = [work(await start())];
  // Where another one can't be started, those that could do its share.
  for (let extra = 1; extra < jobs; extra += 1) workers.push(start().then(work, () => undefined));
  await Promise.all(workers);
  return results;
}

function lost(submission: SubmissionFolder, error: unknown, say: Say): SubmissionResult {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    submission: submission.name,
    outcome: "error",
    points: { earned: 0, possible: 0 },
    tasks: [],
    remarks: [say(message("grade.broke", { reason }))],
  };
}
