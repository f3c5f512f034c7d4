import stringWidth from "string-width";
import type { Attempt } from "../attempts/attempt.ts";
import { message } from "../messages/catalogue.ts";
import { PracticeError } from "../messages/practice-error.ts";
import { findTasks } from "../tasks/find-task.ts";
import { loadTask } from "../tasks/load-task.ts";
import { minutesOf, type Task } from "../tasks/task.ts";
import { knownTasks } from "../tasks/valid-tasks.ts";
import { attemptsOf, currentStep } from "./attempts.ts";
import { type CommandContext, defineCommand } from "./command.ts";
import { exitCodes } from "./exit-code.ts";

interface Row {
  name: string;
  task?: Task;
  attempt?: Attempt;
  /** Why the task can't be read. */
  problem?: string;
}

/** `list`: the tasks by track, with level, duration and how far the learner is. */
export default defineCommand({
  async run(_options: object, context) {
    const { globals, out, say } = context;
    const rows = await readRows(context);
    const document = { tasks: rows.map(describe) };
    out.result(document, () => {
      if (rows.length === 0) return say(message("cli.list.empty", { folders: globals.taskFolders.join(", ") }));
      const tracks = new Map<string, Row[]>();
      for (const row of rows) {
        const track = row.task?.spec.track ?? row.task?.spec.category ?? "";
        tracks.set(track, [...(tracks.get(track) ?? []), row]);
      }
      return [...tracks].map(([track, members]) => renderTrack(track, members, context)).join("\n\n");
    });
    return exitCodes.ok;
  },
});

async function readRows(context: CommandContext): Promise<Row[]> {
  const { globals, language, say } = context;
  const attempts = new Map((await attemptsOf(context).list()).map((attempt) => [attempt.task, attempt]));
  const rows = await Promise.all(
    (await findTasks(globals.taskFolders)).map(async ({ name, folder }): Promise<Row> => {
      const attempt = attempts.get(name);
      try {
        return { name, attempt, task: await loadTask(folder, { language, say, known: knownTasks(globals.home) }) };
      } catch (error) {
        if (!(error instanceof PracticeError)) throw error;
        return { name, attempt, problem: error.options.details?.[0] ?? say(error.text) };
      }
    }),
  );
  return inOrder(rows);
}

/** By name, and a task after those it requires. */
function inOrder(rows: Row[]): Row[] {
  const done: Row[] = [];
  const visit = (row: Row, above: Row[]) => {
    if (done.includes(row) || above.includes(row)) return;
    for (const name of row.task?.spec.requires ?? []) {
      const needed = rows.find((other) => other.name === name);
      if (needed !== undefined) visit(needed, [...above, row]);
    }
    done.push(row);
  };
  for (const row of rows) visit(row, []);
  return done;
}

function describe({ name, task, attempt, problem }: Row) {
  if (task === undefined) return { name, problem: problem ?? "" };
  const { category, track, level, duration, requires = [] } = task.spec;
  return {
    name,
    title: task.text.title,
    description: task.text.description,
    category,
    track: track ?? null,
    level,
    minutes: minutesOf(duration),
    requires,
    steps: task.steps.length,
    state: attempt?.state ?? "new",
    passed: task.steps.filter((step) => attempt?.steps[step.name]?.passedAt !== undefined).length,
  };
}

function renderTrack(track: string, rows: Row[], { out, say }: CommandContext): string {
  const names = Math.max(...rows.map(({ name }) => stringWidth(name)));
  const lines = rows.map((row) => {
    const head = `  ${out.paint("bold", row.name)}${" ".repeat(names - stringWidth(row.name))}`;
    if (row.task === undefined)
      return `${head}  ${out.paint("red", say(message("cli.list.invalid", { reason: row.problem })))}`;
    const { task, attempt } = row;
    const facts = [
      say(message(`cli.list.level.${task.spec.level}`)),
      say(message("cli.show.minutes", { minutes: minutesOf(task.spec.duration) })),
      say(message("cli.list.steps", { steps: task.steps.length })),
    ].join(", ");
    return [
      `${head}  ${task.text.title}${progress(task, attempt, { out, say })}`,
      `  ${" ".repeat(names)}  ${out.paint("dim", facts)}`,
    ].join("\n");
  });
  return [out.paint("underline", track), ...lines].join("\n");
}

function progress(task: Task, attempt: Attempt | undefined, { out, say }: Pick<CommandContext, "out" | "say">): string {
  if (attempt === undefined) return "";
  const all = task.steps.every((step) => attempt.steps[step.name]?.passedAt !== undefined);
  if (all) return `  ${out.paint("green", `✔ ${say(message("cli.list.done"))}`)}`;
  if (attempt.state !== "under-way") return "";
  const place = { step: currentStep(task, attempt).number, steps: task.steps.length };
  return `  ${out.paint("yellow", `▸ ${say(message("cli.list.under-way", place))}`)}`;
}
