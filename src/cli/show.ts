import { message } from "../messages/catalogue.ts";
import { PracticeError } from "../messages/practice-error.ts";
import { findStep } from "../tasks/find-step.ts";
import { minutesOf } from "../tasks/task.ts";
import { attemptsOf, currentStep, openTask } from "./attempts.ts";
import { defineCommand } from "./command.ts";
import { exitCodes } from "./exit-code.ts";
import { renderMarkdown } from "./markdown.ts";
import { renderStep, stepDocument } from "./step-view.ts";

/** `show [TASK] [STEP]`: the current step's instructions; with a task its theory; with a step that step. */
export default defineCommand({
  options: (args, say) =>
    args
      .positional("task", { type: "string", describe: say(message("cli.argument.task")) })
      .positional("step", { type: "string", describe: say(message("cli.argument.step")) }),
  async run(options: { task?: string; step?: string }, context) {
    const { out, say } = context;
    const attempts = attemptsOf(context);
    const name = options.task ?? (await attempts.active());
    if (name === undefined) throw new PracticeError("usage", "cli.no-active");
    const task = await openTask(name, context);
    const attempt = options.task === undefined ? await attempts.read(name) : undefined;
    const step = options.step !== undefined ? findStep(task, options.step) : attempt && currentStep(task, attempt);
    if (step !== undefined) {
      out.result({ task: name, ...stepDocument(task, step) }, () => renderStep(task, step, context));
      return exitCodes.ok;
    }
    const { title, description, body } = task.text;
    const document = {
      task: name,
      title,
      description,
      theory: body,
      level: task.spec.level,
      minutes: minutesOf(task.spec.duration),
      resources: task.spec.resources ?? [],
      steps: task.steps.map(({ name: stepName, number, text }) => ({ step: stepName, number, title: text.title })),
    };
    out.result(document, () => {
      const facts = `${say(message(`cli.list.level.${task.spec.level}`))}, ${say(message("cli.show.minutes", { minutes: document.minutes }))}`;
      const more =
        document.resources.length === 0
          ? []
          : ["", say(message("cli.show.read-more")), ...document.resources.map((url) => `  ${url}`)];
      const steps = document.steps.map((s) => `  ${s.number}  ${s.title}`);
      return [
        out.paint("bold", title),
        out.paint("dim", facts),
        "",
        renderMarkdown(body, { out }),
        "",
        ...steps,
        ...more,
      ].join("\n");
    });
    return exitCodes.ok;
  },
});
