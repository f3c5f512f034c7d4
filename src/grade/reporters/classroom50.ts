import { eachCheck, sumPoints } from "../result.ts";
import type { ReportContext, Reporter } from "./reporter.ts";

/**
 * Classroom 50's result.json (classroom50/result/v1, schemas/result-v1.schema.json of its repository). Scores there are
 * integers: points are multiplied by the smallest power of ten that makes every check's whole. Who and what was
 * submitted comes from the environment that its runner gives an autograder (CLASSROOM, ASSIGNMENT, MODE, USERNAME,
 * SUBMISSION_TAG, COMMIT_URL, RELEASE_URL, REVIEW_URL) and from GitHub's own variables. A result with an error of ours
 * is not written as a score: its `tests` is empty and 0 of 0, the form Classroom 50 keeps for runs that broke.
 */
export const classroom50: Reporter = (result, context) => {
  const broken = result.submissions.some((s) => s.outcome === "error");
  const checks = broken ? [] : [...eachCheck(result)];
  const scale = wholeNumberScale(checks.flatMap(({ check }) => [check.points.earned, check.points.possible]));
  const tests = checks.map(({ task, step, check }) => ({
    "test-name": `${task.title} · ${step.title} · ${check.title}`,
    passed: check.outcome === "passed",
    score: Math.round(check.points.earned * scale),
    "max-score": Math.round(check.points.possible * scale),
    outcome: check.outcome,
    ...(check.message === undefined ? {} : { message: check.message }),
  }));
  const total = sumPoints(tests.map((t) => ({ earned: t.score, possible: t["max-score"] })));
  const at = timestamp(result.finished);
  return `${JSON.stringify(
    {
      schema: "classroom50/result/v1",
      ...identity(result.submissions[0]?.submission ?? "", result.submissions[0]?.tasks[0]?.task ?? "", context, at),
      graded_at: at,
      score: total.earned,
      "max-score": total.possible,
      tests,
    },
    null,
    2,
  )}\n`;
};

function identity(submission: string, task: string, { env }: ReportContext, at: string): Record<string, unknown> {
  const repository = `${env.GITHUB_SERVER_URL ?? "https://github.com"}/${env.GITHUB_REPOSITORY ?? submission}`;
  const sha = env.GITHUB_SHA ?? "unknown";
  const commit = env.COMMIT_URL ?? `${repository}/commit/${sha}`;
  const tag = env.SUBMISSION_TAG ?? `submit/${at.replaceAll(":", "-")}-${sha.slice(0, 7)}`;
  return {
    classroom: env.CLASSROOM ?? "unknown",
    assignment: env.ASSIGNMENT ?? task,
    assignment_type: env.MODE === "group" ? "group" : "individual",
    owner: env.USERNAME ?? env.GITHUB_ACTOR ?? submission,
    submission: tag,
    commit,
    release: env.RELEASE_URL ?? `${repository}/releases/tag/${encodeURIComponent(tag)}`,
    review: env.REVIEW_URL ?? commit,
    datetime: at,
    ...(env.GITHUB_ACTOR === undefined
      ? {}
      : { submitted_by: { username: env.GITHUB_ACTOR, id: Number(env.GITHUB_ACTOR_ID) || null } }),
  };
}

/** YYYY-MM-DDTHH:MM:SSZ. */
function timestamp(time: string): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}

function wholeNumberScale(values: readonly number[]): number {
  for (const scale of [1, 10, 100, 1000, 10_000]) {
    if (values.every((v) => Math.abs(v * scale - Math.round(v * scale)) < 1e-6)) return scale;
  }
  return 100_000;
}
