import { newStepProgress } from "../attempts/attempt.ts";
import { message } from "../messages/catalogue.ts";
import { readNodes, undoNodeChanges } from "../tasks/node-changes.ts";
import { removeObjects } from "../tasks/remove-objects.ts";
import { attemptsOf, openAttempt, withLock } from "./attempts.ts";
import { pointLearner, requireRunning } from "./cluster-session.ts";
import { defineCommand } from "./command.ts";
import { exitCodes } from "./exit-code.ts";
import { prepare } from "./start/prepare.ts";

/** `reset`: the task's start state again; steps that passed stay passed, and the current one begins now. */
export default defineCommand({
  async run(_options: object, context) {
    const { out, say, signal } = context;
    return withLock(context, "reset", async () => {
      const { task, attempt, step } = await openAttempt(undefined, context);
      const { cluster, client } = await requireRunning(attempt, context);
      const line = await out.spinner(say(message("cli.reset.working", { task: task.name })));
      try {
        await undoNodeChanges(client, attempt.nodes, { signal, only: cluster.owned ? undefined : task });
        await removeObjects(client, task, { say, signal });
        line.done();
        await prepare({ task, client, nodes: await readNodes(client, signal) }, context);
        await pointLearner(cluster, { namespace: attempt.namespace }, context);
        const progress = attempt.steps[step.name] ?? newStepProgress(Date.now());
        const steps = { ...attempt.steps, [step.name]: { ...progress, beganAt: Date.now() } };
        await attemptsOf(context).write({ ...attempt, steps });
      } finally {
        line.done();
        client.close();
      }
      const place = { task: task.name, step: step.number, steps: task.steps.length };
      out.result(place, () => out.paint("green", `✔ ${say(message("cli.reset.done", place))}`));
      return exitCodes.ok;
    });
  },
});
