import { findTasks } from "../tasks/find-task.ts";
import { defineCommand } from "./command.ts";
import { shells } from "./completion-script.ts";
import { exitCodes } from "./exit-code.ts";

const globalOptions = ["--cluster", "--lang", "--output", "--tasks", "--home", "--debug", "--no-color", "--help"];
const values: Record<string, string[]> = {
  "--cluster": ["auto", "kind", "embedded", "context:"],
  "--lang": ["en", "ru", "zh", "de"],
  "--output": ["text", "json"],
  "-o": ["text", "json"],
};
const options: Record<string, string[]> = {
  start: ["--restart", "--continue", "--recreate"],
  verify: ["--timeout", "--step", "--answer"],
  hint: ["--all"],
  solution: ["--yes"],
};
const actions: Record<string, string[]> = { completion: [...shells], cluster: ["up", "down", "status", "list"] };
const takesTask = ["start", "verify", "show", "grade", "lint"];

/** `__complete -- WORD…`: what could stand in the place of the last word, one a line. Asked by the shells. */
export default defineCommand({
  options: (args) => args.positional("words", { type: "string", array: true, default: [] as string[] }).strict(false),
  async run(parsed: { words: string[]; _?: (string | number)[] }, { globals, out, commandNames }) {
    // What stands after `--` comes as it is, beside the command's own name.
    const words = [...parsed.words, ...(parsed._ ?? []).slice(1).map(String)];
    const typed = words.at(-1) ?? "";
    const before = words.slice(0, -1);
    const candidates = await complete(before, typed, { folders: globals.taskFolders, commandNames });
    const fitting = candidates.filter((candidate) => candidate.startsWith(typed)).join("\n");
    out.result(fitting === "" ? [] : fitting.split("\n"), () => fitting);
    return exitCodes.ok;
  },
});

async function complete(
  before: string[],
  typed: string,
  { folders, commandNames }: { folders: string[]; commandNames: readonly string[] },
): Promise<string[]> {
  const previous = before.at(-1) ?? "";
  if (values[previous] !== undefined) return values[previous];
  const command = before.find((word, i) => !word.startsWith("-") && values[before[i - 1] ?? ""] === undefined);
  if (typed.startsWith("-")) return [...(options[command ?? ""] ?? []), ...globalOptions];
  if (command === undefined) return [...commandNames];
  if (actions[command] !== undefined && previous === command) return actions[command];
  if (takesTask.includes(command) && previous === command) return (await findTasks(folders)).map(({ name }) => name);
  return [];
}
