import { newStepProgress } from "../attempts/attempt.ts";
import { message } from "../messages/catalogue.ts";
import { attemptsOf, openAttempt, withLock } from "./attempts.ts";
import { defineCommand } from "./command.ts";
import { exitCodes } from "./exit-code.ts";
import { renderMarkdown } from "./markdown.ts";

/** `hint`: the next hint of the current step, one at a time. */
export default defineCommand({
  options: (args, say) => args.option("all", { type: "boolean", describe: say(message("cli.hint.all")) }),
  async run(options: { all?: boolean }, context) {
    const { out, say } = context;
    return withLock(context, "hint", async () => {
      const { task, attempt, step } = await openAttempt(undefined, context);
      const { hints } = step.text;
      const progress = attempt.steps[step.name] ?? newStepProgress(attempt.startedAt);
      const before = Math.min(progress.hintsShown, hints.length);
      const shown = options.all ? hints.length : Math.min(before + 1, hints.length);
      if (shown !== progress.hintsShown) {
        const steps = { ...attempt.steps, [step.name]: { ...progress, hintsShown: shown } };
        await attemptsOf(context).write({ ...attempt, steps });
      }
      const first = options.all ? 1 : shown;
      const numbered = hints.slice(Math.max(0, first - 1), shown).map((text, i) => ({ number: first + i, text }));
      const document = {
        task: task.name,
        step: step.name,
        hints: numbered,
        total: hints.length,
        left: hints.length - shown,
      };
      out.result(document, () => {
        if (hints.length === 0) return say(message("cli.hint.none"));
        const texts = numbered.map(({ number, text }) => {
          const head = out.paint("bold", say(message("cli.hint.number", { number, total: hints.length })));
          return `${head}\n${renderMarkdown(text, { out })}`;
        });
        const rest =
          document.left > 0 ? message("cli.hint.more", { left: document.left }) : message("cli.hint.no-more");
        return `${texts.join("\n\n")}\n\n${out.paint("dim", say(rest))}`;
      });
      return exitCodes.ok;
    });
  },
});
