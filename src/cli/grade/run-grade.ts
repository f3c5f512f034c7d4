import manifest from "../../../package.json" with { type: "json" };
import { gradeAll } from "../../grade/grade-all.ts";
import { chooseIsolation } from "../../grade/isolation/choose.ts";
import { defaultLimits, type IsolationName } from "../../grade/isolation/isolation.ts";
import { Journal } from "../../grade/journal.ts";
import type { GradeResult, SubmissionResult } from "../../grade/result.ts";
import { type GradeOptions, loadGradedTasks } from "../../grade/settings.ts";
import { inShard, readShard } from "../../grade/submission/shard.ts";
import { findStepScript } from "../../grade/submission/step-scripts.ts";
import type { Grader } from "../../grade/worker/grader.ts";
import { message } from "../../messages/catalogue.ts";
import { PracticeError } from "../../messages/practice-error.ts";
import type { CommandContext } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import { findKubectl } from "./find-kubectl.ts";
import { findSubmissions } from "./find-submissions.ts";
import { listFiles } from "./list-files.ts";
import { readReportTargets, writeReports } from "./report-targets.ts";
import { readSeconds } from "./seconds.ts";

export interface GradeArguments {
  names: string[];
  submission?: string;
  submissions?: string;
  jobs: number;
  isolation?: IsolationName;
  timeout: string;
  settle: string;
  stopAtFirst?: boolean;
  reporter?: string[];
  results?: string;
  resume?: boolean;
  shard?: string;
  yes: boolean;
  allowNodes: boolean;
}

/**
 * Grades and reports. 0: everything passed; 1: a submission did not; 3: something could not be graded for reasons of
 * ours, whatever else passed or failed.
 */
export async function runGrade(args: GradeArguments, context: CommandContext): Promise<ExitCode> {
  const { out, say, env, globals, signal, language } = context;
  if (!Number.isInteger(args.jobs) || args.jobs < 1)
    throw new PracticeError("usage", "grade.bad-jobs", { jobs: args.jobs });
  const onShared = globals.cluster !== undefined && !["auto", "embedded"].includes(globals.cluster);
  // Submissions share a cluster's nodes there: one after the other.
  const jobs = onShared ? 1 : args.jobs;
  if (onShared && args.jobs > 1) out.note(say(message("grade.one-at-a-time", { cluster: globals.cluster })));
  const targets = readReportTargets(args.reporter ?? (out.format === "json" ? [] : ["text"]));
  const shard = readShard(args.shard, env);
  const all = findSubmissions(args.submission, args.submissions);
  const options: GradeOptions = {
    tasks: args.names,
    taskFolders: globals.taskFolders,
    home: globals.home,
    language,
    cluster: globals.cluster === undefined || globals.cluster === "auto" ? "embedded" : globals.cluster,
    isolation: args.isolation,
    limits: { ...defaultLimits, seconds: readSeconds(args.timeout) },
    settle: readSeconds(args.settle) * 1000,
    stopAtFirst: args.stopAtFirst === true,
    kubectl: findKubectl(env),
    consent: { yes: args.yes, allowNodes: args.allowNodes },
  };
  const tasks = await loadGradedTasks(options);
  if (args.submission !== undefined) refuseEmpty(all[0]!.folder, tasks);
  // Found out here, so that its reason is told as it is and not as a worker's death.
  (await chooseIsolation(options.isolation, options.kubectl)).close?.();

  const started = new Date().toISOString();
  const journal = args.results === undefined ? undefined : new Journal(args.results);
  const known = args.resume
    ? stillValid(journal!.readComplete(), new Map(tasks.map((t) => [t.task.name, t.task.hash])))
    : new Map();
  const wanted = all.filter((submission) => inShard(submission.name, shard));
  const todo = wanted.filter((submission) => !known.has(submission.name));
  const spinner = await out.spinner(progress(0, todo.length, context));
  let done = 0;
  let graded: SubmissionResult[];
  try {
    graded =
      todo.length === 0
        ? []
        : await gradeAll({
            submissions: todo,
            jobs,
            startGrader: () => startGrader(options, Math.min(jobs, todo.length), signal),
            say,
            signal,
            onResult: (result, complete) => {
              journal?.add(result, complete);
              if (complete) spinner.update(progress(++done, todo.length, context));
            },
          });
  } finally {
    spinner.done();
    journal?.close();
  }
  const fresh = new Map(graded.map((result) => [result.submission, result]));
  const result: GradeResult = {
    schema: "k8s-practice/grade/v1",
    runner: { version: manifest.version },
    started,
    finished: new Date().toISOString(),
    ...(shard === undefined ? {} : { shard }),
    submissions: wanted.map(({ name }) => fresh.get(name) ?? known.get(name)!),
  };
  await journal?.finish(result);
  const words = (key: Parameters<typeof message>[0], values?: Parameters<typeof message>[1]) =>
    say(message(key, values));
  await writeReports(targets, result, { words, language, env }, (text) => {
    if (out.format === "json") out.note(text);
    else out.result(undefined, () => text);
  });
  if (out.format === "json") out.result(result, () => "");
  return exitCodeFor(result);
}

/** Our own failure outweighs the student's: a CI job must not read a broken machine as a wrong answer. */
export function exitCodeFor({ submissions }: GradeResult): ExitCode {
  if (submissions.some((s) => s.outcome === "error")) return exitCodes.environment;
  return submissions.every((s) => s.outcome === "passed") ? exitCodes.ok : exitCodes.notYet;
}

async function startGrader(options: GradeOptions, jobs: number, signal: AbortSignal): Promise<Grader> {
  if (jobs === 1) return (await import("../../grade/worker/in-process.ts")).InProcessGrader.start(options, signal);
  return (await import("../../grade/worker/worker-process.ts")).WorkerProcess.start(options);
}

/** A submission that was named on its own and has nothing to judge is a mistake of the one who typed it. */
function refuseEmpty(folder: string, tasks: Awaited<ReturnType<typeof loadGradedTasks>>): void {
  const files = listFiles(folder);
  if (files.includes("answers.yaml")) return;
  for (const { task } of tasks) {
    if (task.steps.some((step) => findStepScript(files, task.name, step.name, step.number).file !== undefined)) return;
  }
  const names = tasks.flatMap(({ task }) => task.steps.map((step) => `${step.name}.sh`)).join(", ");
  throw new PracticeError("usage", "grade.nothing-to-grade", { folder, names });
}

function stillValid(known: Map<string, SubmissionResult>, hashes: Map<string, string>): Map<string, SubmissionResult> {
  const same = (result: SubmissionResult) =>
    result.tasks.length === hashes.size && result.tasks.every((task) => hashes.get(task.task) === task.taskHash);
  return new Map([...known].filter(([, result]) => same(result)));
}

function progress(done: number, total: number, { say }: CommandContext): string {
  return say(message("grade.progress", { done, total }));
}
