import { message } from "../../messages/catalogue.ts";
import { attemptsOf, openTask, withLock } from "../attempts.ts";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { renderMarkdown } from "../markdown.ts";
import { renderStep, stepDocument } from "../step-view.ts";
import { beginTask } from "./begin-task.ts";
import { continueTask } from "./continue-task.ts";
import { decide } from "./decide.ts";
import { warnWithoutKubectl } from "./kubectl-present.ts";

interface Options {
  task: string;
  restart?: boolean;
  continue?: boolean;
  recreate?: boolean;
}

/** `start TASK`: cluster up, start state applied, the first step explained; or on with an attempt under way. */
export default defineCommand({
  options: (args, say) =>
    args
      .positional("task", { type: "string", demandOption: true, describe: say(message("cli.argument.task")) })
      .option("restart", { type: "boolean", describe: say(message("cli.start.restart")) })
      .option("continue", { type: "boolean", describe: say(message("cli.start.continue")) })
      .option("recreate", { type: "boolean", describe: say(message("cli.start.recreate")) })
      .conflicts("restart", "continue"),
  async run(options: Options, context) {
    const { out, say } = context;
    const task = await openTask(options.task, context);
    await warnWithoutKubectl(context);
    return withLock(context, `start ${task.name}`, async () => {
      const attempts = attemptsOf(context);
      const before = await attempts.active();
      const attempt = await attempts.read(task.name);
      const decision = await decide({ ...options, task, attempt }, context);
      if (decision === "leave") {
        out.note(say(message("cli.start.left-alone")));
        return exitCodes.ok;
      }
      const recreate = options.recreate === true;
      const { step, cluster } =
        decision === "continue"
          ? await continueTask({ task, attempt: attempt!, recreate }, context)
          : await beginTask({ task, attempt, recreate }, context);
      if (before !== undefined && before !== task.name && (await attempts.read(before))?.state === "under-way") {
        out.note(out.paint("dim", say(message("cli.start.other-under-way", { task: before })), "stderr"));
      }
      const document = {
        task: task.name,
        title: task.text.title,
        continued: decision === "continue",
        cluster: { id: cluster.id, version: cluster.version, context: cluster.context },
        namespace: task.spec.namespace,
        current: stepDocument(task, step),
      };
      out.result(document, () => {
        const ready = say(
          message("cli.start.ready", { task: task.name, namespace: task.spec.namespace, cluster: cluster.id }),
        );
        const intro =
          decision === "continue"
            ? [out.paint("green", `✔ ${say(message("cli.start.continued", { task: task.name }))}`)]
            : [
                out.paint("green", `✔ ${ready}`),
                "",
                out.paint("bold", task.text.title),
                "",
                renderMarkdown(task.text.body, { out }),
              ];
        return [...intro, "", renderStep(task, step, context), out.paint("dim", say(message("cli.start.then")))].join(
          "\n",
        );
      });
      return exitCodes.ok;
    });
  },
});
