import { message } from "../../messages/catalogue.ts";
import { PracticeError } from "../../messages/practice-error.ts";
import { findTasks } from "../../tasks/find-task.ts";
import { loadVerifier } from "../../tasks/verifier-module.ts";
import { attemptsOf, openTask } from "../attempts.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import { readReportTargets, writeReports } from "../grade/report-targets.ts";
import { checkReport } from "./check.ts";
import { runMerge } from "./merge.ts";
import { type OwnTask, ownResult } from "./own-attempts.ts";

interface ReportArguments {
  words?: string[];
  reporter?: string[];
  check?: string;
}

/** `./run report`: one's own attempts; `report --check FILE`; `report merge FILE…`. */
export default defineCommand<ReportArguments>({
  options: (args, say) =>
    args.positional("words", { array: true, type: "string", describe: say(message("grade.report.words")) }).options({
      reporter: {
        alias: "r",
        type: "string",
        array: true,
        requiresArg: true,
        nargs: 1,
        describe: say(message("grade.option.reporter")),
      },
      check: { type: "string", requiresArg: true, describe: say(message("grade.report.check")) },
    }) as never,
  async run({ words = [], reporter, check }, context) {
    if (check !== undefined) return checkReport(check, context);
    if (words[0] === "merge") return runMerge(words.slice(1), reporter, context);
    return reportOwn(words, reporter, context);
  },
});

async function reportOwn(names: string[], reporter: string[] | undefined, context: CommandContext): Promise<ExitCode> {
  const { out, say, env, language, globals } = context;
  const targets = readReportTargets(reporter ?? (out.format === "json" ? [] : ["text"]));
  const attempts = attemptsOf(context);
  const own: OwnTask[] = [];
  const wanted = names.length > 0 ? names : (await findTasks(globals.taskFolders)).map((task) => task.name);
  for (const name of wanted) {
    const attempt = await attempts.read(name);
    if (attempt === undefined) continue;
    const task = await openTask(name, context);
    const verifiers = await Promise.all(task.steps.map((step) => loadVerifier(step, { home: globals.home })));
    own.push({ task, verifiers, attempt });
  }
  if (own.length === 0) throw new PracticeError("usage", "grade.report.nothing");
  const result = ownResult(own, say, new Date());
  const say_ = (key: Parameters<typeof message>[0], values?: Parameters<typeof message>[1]) =>
    say(message(key, values));
  await writeReports(targets, result, { words: say_, language, env }, (text) => {
    if (out.format === "json") out.note(text);
    else out.result(undefined, () => text);
  });
  if (out.format === "json") out.result(result, () => "");
  return exitCodes.ok;
}
