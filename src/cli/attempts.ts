import type { Attempt } from "../attempts/attempt.ts";
import { AttemptStore } from "../attempts/attempt-store.ts";
import { withCommandLock } from "../attempts/command-lock.ts";
import { message } from "../messages/catalogue.ts";
import { PracticeError } from "../messages/practice-error.ts";
import { findTask, findTasks } from "../tasks/find-task.ts";
import { loadTask } from "../tasks/load-task.ts";
import type { Step, Task } from "../tasks/task.ts";
import { knownTasks } from "../tasks/valid-tasks.ts";
import type { CommandContext } from "./command.ts";
import { nearest } from "./nearest.ts";

/** The attempts of this home folder; a damaged file is told on stderr. */
export function attemptsOf({ globals, out, say }: CommandContext): AttemptStore {
  return new AttemptStore(globals.home, (path) => out.note(say(message("attempts.damaged", { path }))));
}

/** Keeps other commands from changing this home folder while `work` does. */
export function withLock<T>(context: CommandContext, command: string, work: () => Promise<T>): Promise<T> {
  const { globals, out, say, signal } = context;
  const onWait = (holder: { pid: number; command: string }) => out.note(say(message("attempts.waiting", holder)));
  return withCommandLock(globals.home, command, work, { signal, onWait });
}

/**
 * The task called `name`, read in the learner's language.
 *
 * @throws PracticeError of kind usage for an unknown one, with the nearest names, and for one that is not whole
 */
export async function openTask(name: string, context: CommandContext): Promise<Task> {
  const { globals, language, say } = context;
  const folder = await findTask(globals.taskFolders, name);
  if (folder !== undefined) return loadTask(folder, { language, say, known: knownTasks(globals.home) });
  const names = (await findTasks(globals.taskFolders)).map((task) => task.name);
  const near = nearest(name, names);
  throw near.length > 0
    ? new PracticeError("usage", "tasks.unknown.near", { name, near: near.join(", ") })
    : new PracticeError("usage", "tasks.unknown", { name });
}

/** The task as it is done in another namespace (a class's prefix). */
export function inNamespace(task: Task, namespace: string): Task {
  return { ...task, spec: { ...task.spec, namespace } };
}

/** A task under way, with what is known of it. */
export interface OpenAttempt {
  task: Task;
  attempt: Attempt;
  step: Step;
}

/**
 * The attempt at `name`, or at the active task.
 *
 * @throws PracticeError of kind usage when there is none
 */
export async function openAttempt(name: string | undefined, context: CommandContext): Promise<OpenAttempt> {
  const attempts = attemptsOf(context);
  const wanted = name ?? (await attempts.active());
  if (wanted === undefined) throw new PracticeError("usage", "cli.no-active");
  const task = await openTask(wanted, context);
  const attempt = await attempts.read(wanted);
  if (attempt === undefined || attempt.state === "stopped" || attempt.state === "preparing") {
    throw new PracticeError("usage", "cli.not-started", { task: wanted });
  }
  return { task: inNamespace(task, attempt.namespace), attempt, step: currentStep(task, attempt) };
}

/** The step an attempt is at; where the task's steps were renamed since, the first one that has not passed. */
export function currentStep(task: Task, attempt: Attempt): Step {
  const named = task.steps.find(({ name }) => name === attempt.currentStep);
  return named ?? task.steps.find(({ name }) => attempt.steps[name]?.passedAt === undefined) ?? task.steps.at(-1)!;
}
