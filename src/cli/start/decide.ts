import { type Attempt, isUnderWay } from "../../attempts/attempt.ts";
import { message } from "../../messages/catalogue.ts";
import { PracticeError } from "../../messages/practice-error.ts";
import type { Task } from "../../tasks/task.ts";
import { ask } from "../ask.ts";
import { currentStep } from "../attempts.ts";
import type { CommandContext } from "../command.ts";

/**
 * What `start` does: an attempt under way is never thrown away without a clear word.
 *
 * @throws PracticeError of kind usage when that word is missing and nobody can be asked
 */
export async function decide(
  options: { task: Task; attempt: Attempt | undefined; restart?: boolean; continue?: boolean },
  context: CommandContext,
): Promise<"begin" | "continue" | "leave"> {
  const { task, attempt } = options;
  if (!isUnderWay(attempt)) return "begin";
  if (options.restart) return "begin";
  if (options.continue) return "continue";
  const values = {
    task: task.name,
    step: currentStep(task, attempt).number,
    steps: task.steps.length,
    since: new Date(attempt.startedAt).toLocaleString(context.language),
  };
  if (!context.out.interactive) throw new PracticeError("usage", "cli.start.under-way", values);
  context.out.note(context.say(message("cli.start.under-way", values)));
  for (;;) {
    const answer = (await ask(context.say(message("cli.start.ask")), context)).trim().toLowerCase();
    if (answer === "c") return "continue";
    if (answer === "r") return "begin";
    if (answer === "q" || answer === "") return "leave";
  }
}
