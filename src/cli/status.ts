import { kubectlTarget } from "../clusters/index.ts";
import { message } from "../messages/catalogue.ts";
import { attemptsOf, currentStep, openTask } from "./attempts.ts";
import { findRunning } from "./cluster-session.ts";
import { defineCommand } from "./command.ts";
import { exitCodes } from "./exit-code.ts";

/** `status`: the task under way, its steps, the cluster and where kubectl points. */
export default defineCommand({
  async run(_options: object, context) {
    const { env, out, say } = context;
    const attempts = attemptsOf(context);
    const name = await attempts.active();
    const attempt = name === undefined ? undefined : await attempts.read(name);
    if (name === undefined || attempt === undefined || attempt.state === "stopped") {
      out.result({ task: null }, () => `${say(message("cli.status.none"))}\n${say(message("cli.status.none.hint"))}`);
      return exitCodes.ok;
    }
    const task = await openTask(name, context);
    const step = currentStep(task, attempt);
    const session = await findRunning({ wanted: attempt.cluster, task: name }, context);
    session?.client.close();
    const target = session && (await kubectlTarget(session.cluster, { env }));
    const document = {
      task: name,
      title: task.text.title,
      state: attempt.state,
      startedAt: new Date(attempt.startedAt).toISOString(),
      step: step.number,
      steps: task.steps.map(({ name: stepName, number, text }) => {
        const progress = attempt.steps[stepName];
        return {
          step: stepName,
          number,
          title: text.title,
          passed: progress?.passedAt !== undefined,
          failures: progress?.failures ?? 0,
          hintsShown: progress?.hintsShown ?? 0,
        };
      }),
      namespace: attempt.namespace,
      cluster: { id: attempt.cluster, running: session !== undefined, version: session?.cluster.version ?? null },
      kubectl: target === undefined ? null : { pointsHere: target.pointsHere, context: target.context ?? null },
    };
    out.result(document, () => {
      const place = { step: step.number, steps: task.steps.length, title: step.text.title };
      const where = session
        ? say(message("cli.status.cluster-running", { id: attempt.cluster, version: session.cluster.version }))
        : say(message("cli.status.cluster-gone", { id: attempt.cluster, task: name }));
      const rows: [Parameters<typeof message>[0], string][] = [
        ["cli.status.task", `${name}  ${out.paint("dim", task.text.title)}`],
        [
          "cli.status.step",
          attempt.state === "finished"
            ? say(message("cli.status.finished"))
            : say(message("cli.status.step-of", place)),
        ],
        ["cli.status.cluster", where],
      ];
      if (target !== undefined) {
        const kubectl = target.pointsHere
          ? message("cli.status.kubectl-here", { namespace: target.namespace ?? "default" })
          : message("cli.status.kubectl-elsewhere", { context: target.context ?? "–" });
        rows.push(["cli.status.kubectl", say(kubectl)]);
      }
      const labels = rows.map(([key]) => say(message(key)));
      const wide = Math.max(...labels.map((label) => label.length));
      const facts = rows.map(([, value], i) => `${out.paint("dim", labels[i]!.padEnd(wide))}  ${value}`);
      const steps = document.steps.map(({ number, title, passed }) => {
        const mark = passed ? out.paint("green", "✔") : number === step.number ? out.paint("yellow", "▸") : " ";
        return `  ${mark} ${number}  ${title}`;
      });
      return [...facts, "", ...steps].join("\n");
    });
    return exitCodes.ok;
  },
});
