import { homedir } from "node:os";
import { delimiter, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import yargs, { type Argv } from "yargs";
import manifest from "../../package.json" with { type: "json" };
import { languages, message } from "../messages/catalogue.ts";
import { PracticeError } from "../messages/practice-error.ts";
import { chooseLanguage, loadTranslator, type Say } from "../messages/translator.ts";
import type { CommandContext, GlobalOptions } from "./command.ts";
import { commandName, commands } from "./commands.ts";
import { type ExitCode, exitCodeOf, exitCodes } from "./exit-code.ts";
import { nearest } from "./nearest.ts";
import { createOutput, type Streams } from "./output.ts";
import { reportError } from "./report-error.ts";
import { yargsWords } from "./yargs-words.ts";

export interface Environment {
  env: NodeJS.ProcessEnv;
  cwd: string;
  streams: Streams;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** The project's own tasks. */
  ownTasks: string;
}

const commandNames = commands.filter((entry) => entry.summary !== undefined).map(commandName);

/** Runs one command line (without `node` and the script) and returns its exit code; never throws. */
export async function main(argv: string[], environment: Environment): Promise<ExitCode> {
  const { env, streams, signal } = environment;
  // What decides how we speak must be known before yargs speaks.
  const early = {
    lang: flagValue(argv, "--lang"),
    json: (flagValue(argv, "--output") ?? flagValue(argv, "-o")) === "json",
    color: !argv.includes("--no-color"),
    debug: argv.includes("--debug"),
  };
  const language = chooseLanguage(early.lang, env) ?? "en";
  const say = await loadTranslator(language);
  const out = createOutput({ format: early.json ? "json" : "text", color: early.color, env, streams });

  let code: ExitCode = exitCodes.ok;
  const parser = globalOptions(yargs(), say)
    .scriptName("./run")
    .locale("en")
    .updateStrings(yargsWords(say))
    .usage(say(message("cli.help.usage")))
    .version(manifest.version)
    .help()
    .alias("help", "h")
    .wrap(streams.stdout.isTTY ? Math.min(100, streams.stdout.columns ?? 80) : 100)
    .strictOptions()
    .parserConfiguration({ "parse-numbers": false, "parse-positional-numbers": false })
    .recommendCommands()
    .exitProcess(false)
    .fail((text, error) => {
      throw error ?? new PracticeError("usage", "cli.usage", { reason: text });
    });
  for (const entry of commands) {
    parser.command(
      entry.usage,
      // yargs takes false for "not shown"; its types say so only in another overload.
      (entry.summary === undefined ? false : say(message(entry.summary))) as string,
      async (args: Argv) => {
        const command = (await entry.load()).default;
        args.usage(`./run ${entry.usage}${entry.summary === undefined ? "" : `\n\n${say(message(entry.summary))}`}`);
        return command.options?.(args, say) ?? args;
      },
      async (options) => {
        const command = (await entry.load()).default;
        const globals = readGlobals(options as Record<string, unknown>, environment);
        const context: CommandContext = { globals, language, say, out, commandNames, env, signal };
        code = await command.run(options, context);
      },
    );
  }
  try {
    if (chooseLanguage(early.lang, env) === undefined) {
      throw new PracticeError("usage", "cli.unknown-language", { name: early.lang, known: languages.join(", ") });
    }
    const typed = commandWord(argv);
    if (typed === undefined && !argv.some((word) => ["--help", "-h", "--version"].includes(word))) {
      // Options without a command: yargs finds the wrong ones, and says how a command is written.
      await parser.parseAsync(argv);
      parser.showHelp((help) => out.note(help));
      return exitCodes.usage;
    }
    if (typed !== undefined && !commands.some((entry) => commandName(entry) === typed)) throw unknownCommand(typed);
    await parser.parseAsync(argv);
    return code;
  } catch (error) {
    const failure = signal.aborted && exitCodeOf(error) !== exitCodes.interrupted ? interrupted(error) : error;
    reportError(failure, { out, say, debug: early.debug });
    return exitCodeOf(failure);
  }
}

/** The first word that is neither an option nor a global option's value. */
function commandWord(argv: string[]): string | undefined {
  const withValue = ["--cluster", "--lang", "--output", "-o", "--tasks", "--home"];
  return argv.find((word, i) => !word.startsWith("-") && !withValue.includes(argv[i - 1] ?? ""));
}

function unknownCommand(name: string): PracticeError {
  const near = nearest(name, commandNames);
  return near.length > 0
    ? new PracticeError("usage", "cli.unknown-command.near", { name, near: near.join(", ") })
    : new PracticeError("usage", "cli.unknown-command", { name });
}

/** After Ctrl-C whatever breaks is a consequence of it. */
function interrupted(cause: unknown): PracticeError {
  return new PracticeError("interrupted", "cli.interrupted", undefined, { cause });
}

function globalOptions(args: Argv, say: Say): Argv {
  const text = (name: string) => say(message(`cli.option.${name}` as "cli.option.cluster"));
  return args.options({
    cluster: { type: "string", requiresArg: true, describe: text("cluster") },
    lang: { type: "string", requiresArg: true, describe: text("lang") },
    output: { alias: "o", type: "string", choices: ["text", "json"], default: "text", describe: text("output") },
    tasks: { type: "string", requiresArg: true, describe: text("tasks") },
    home: { type: "string", requiresArg: true, describe: text("home") },
    debug: { type: "boolean", default: false, describe: text("debug") },
    color: { type: "boolean", default: true, describe: text("color") },
  });
}

function readGlobals(options: Record<string, unknown>, { env, cwd, ownTasks }: Environment): GlobalOptions {
  const said = (name: string) => options[name] as string | undefined;
  const folders = said("tasks")?.split(delimiter) ?? (env["K8S_PRACTICE_TASKS"] || undefined)?.split(delimiter) ?? [];
  return {
    cluster: said("cluster") ?? (env["K8S_PRACTICE_CLUSTER"] || undefined),
    output: said("output") === "json" ? "json" : "text",
    debug: options["debug"] === true,
    home: resolve(cwd, said("home") ?? (env["K8S_PRACTICE_HOME"] || `${homedir()}/.k8s-practice`)),
    taskFolders: [...folders.map((folder) => resolve(cwd, folder)), ownTasks],
  };
}

/** `--flag value` or `--flag=value`. */
function flagValue(words: string[], flag: string): string | undefined {
  const end = words.indexOf("--");
  const argv = end < 0 ? words : words.slice(0, end);
  const at = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (at < 0) return undefined;
  return argv[at] === flag ? argv[at + 1] : argv[at]!.slice(flag.length + 1);
}

/** The folder `tasks/` of this checkout, whether run from source or from dist/. */
export function ownTasksFolder(moduleUrl: string): string {
  const here = fileURLToPath(moduleUrl);
  return here.includes("/dist/")
    ? resolve(here.slice(0, here.lastIndexOf("/dist/")), "tasks")
    : resolve(here, "../tasks");
}
