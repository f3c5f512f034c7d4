import { readFile } from "node:fs/promises";
import { newStepProgress } from "../attempts/attempt.ts";
import { message } from "../messages/catalogue.ts";
import { PracticeError } from "../messages/practice-error.ts";
import { ask } from "./ask.ts";
import { attemptsOf, openAttempt, withLock } from "./attempts.ts";
import { defineCommand } from "./command.ts";
import { exitCodes } from "./exit-code.ts";

/** `solution`: the reference solution of the current step, when asked for clearly. */
export default defineCommand({
  options: (args, say) =>
    args.option("yes", { alias: "y", type: "boolean", describe: say(message("cli.solution.yes")) }),
  async run(options: { yes?: boolean }, context) {
    const { out, say } = context;
    const { task, attempt, step } = await openAttempt(undefined, context);
    const seen = attempt.steps[step.name]?.solutionShown === true || attempt.state === "finished";
    if (!options.yes && !seen) {
      if (!out.interactive) throw new PracticeError("usage", "cli.solution.refused");
      const typed = await ask(say(message("cli.solution.ask", { step: step.number })), context);
      if (!/^y/i.test(typed.trim())) throw new PracticeError("usage", "cli.solution.refused");
    }
    const script = step.solution === undefined ? undefined : (await readFile(step.solution, "utf8")).trimEnd();
    await withLock(context, "solution", async () => {
      const attempts = attemptsOf(context);
      const current = await attempts.read(task.name);
      if (current === undefined) return;
      const progress = current.steps[step.name] ?? newStepProgress(current.startedAt);
      await attempts.write({
        ...current,
        steps: { ...current.steps, [step.name]: { ...progress, solutionShown: true } },
      });
    });
    const document = { task: task.name, step: step.name, number: step.number, solution: script ?? null };
    out.result(document, () => script ?? say(message("cli.solution.none")));
    return exitCodes.ok;
  },
});
