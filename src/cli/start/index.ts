import { message } from "../../messages/catalogue.ts";
import { attemptsOf, inNamespace, openTask, withLock } from "../attempts.ts";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { renderMarkdown } from "../markdown.ts";
import { renderStep, stepDocument } from "../step-view.ts";
import { beginTask } from "./begin-task.ts";
import { continueTask } from "./continue-task.ts";
import { decide } from "./decide.ts";
import { warnWithoutKubectl } from "./kubectl-present.ts";
import type { StartOptions } from "./options.ts";

interface Options extends Partial<StartOptions> {
  task: string;
  restart?: boolean;
  continue?: boolean;
  namespacePrefix?: string;
}

/** `start TASK`: cluster up, start state applied, the first step explained; or on with an attempt under way. */
export default defineCommand({
  options: (args, say) =>
    args
      .positional("task", { type: "string", demandOption: true, describe: say(message("cli.argument.task")) })
      .option("restart", { type: "boolean", describe: say(message("cli.start.restart")) })
      .option("continue", { type: "boolean", describe: say(message("cli.start.continue")) })
      .option("recreate", { type: "boolean", describe: say(message("cli.start.recreate")) })
      .option("yes", { alias: "y", type: "boolean", describe: say(message("cli.start.yes")) })
      .option("allow-nodes", { type: "boolean", describe: say(message("cli.start.allow-nodes")) })
      .option("namespace-prefix", {
        type: "string",
        requiresArg: true,
        describe: say(message("cli.start.namespace-prefix")),
      })
      .option("kubeconfig", { type: "string", requiresArg: true, describe: say(message("cli.start.kubeconfig")) })
      .conflicts("restart", "continue"),
  async run(options: Options, context) {
    const { out, say } = context;
    const plain = await openTask(options.task, context);
    const task = inNamespace(plain, `${options.namespacePrefix ?? ""}${plain.spec.namespace}`);
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
      const { kubeconfig } = options;
      const said = (name: "recreate" | "yes" | "allowNodes") => options[name] === true;
      const choice = { recreate: said("recreate"), yes: said("yes"), allowNodes: said("allowNodes"), kubeconfig };
      const { step, cluster } =
        decision === "continue"
          ? await continueTask(
              { task: inNamespace(plain, attempt!.namespace), attempt: attempt!, options: choice },
              context,
            )
          : await beginTask({ task, attempt, options: choice }, context);
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
