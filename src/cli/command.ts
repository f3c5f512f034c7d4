import type { Argv } from "yargs";
import type { Language, MessageKey } from "../messages/catalogue.ts";
import type { Say } from "../messages/translator.ts";
import type { ExitCode } from "./exit-code.ts";
import type { Output } from "./output.ts";

/** The options every command has. */
export interface GlobalOptions {
  /** `auto`, `kind`, `embedded` or `context:NAME`; absent when the learner did not say. */
  cluster: string | undefined;
  output: "text" | "json";
  debug: boolean;
  /** Absolute path of the folder that holds attempts, caches and clusters. */
  home: string;
  /** Folders that hold task folders, most specific first: `--tasks`, K8S_PRACTICE_TASKS, the project's own. */
  taskFolders: string[];
}

/** What a command works with besides its own options. */
export interface CommandContext {
  readonly globals: GlobalOptions;
  readonly language: Language;
  readonly say: Say;
  readonly out: Output;
  /** Names of the commands that `--help` shows. */
  readonly commandNames: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Aborted by Ctrl-C; a command that waits passes it on. */
  readonly signal: AbortSignal;
}

/**
 * A command. `options` declares positionals and options with yargs (descriptions by `say`), `run` does the work and
 * returns the exit code, or throws a PracticeError.
 */
export interface Command<Options> {
  options?(args: Argv, say: Say): Argv<Options>;
  run(options: Options, context: CommandContext): Promise<ExitCode>;
}

/** `export default defineCommand({ options: (args, say) => args.option(…), async run({ … }, context) { … } })` */
export function defineCommand<Options>(command: Command<Options>): Command<Options> {
  return command;
}

/** A line of `--help`; the module behind it is loaded only when the command is given. */
export interface CommandEntry {
  /** yargs' syntax: `verify [task]`. */
  usage: string;
  /** Absent: not shown in `--help` nor completed. */
  summary?: MessageKey;
  // Options differ by command; each module's own types hold inside it.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  load(): Promise<{ default: Command<any> }>;
}
