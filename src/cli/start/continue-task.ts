import { type Attempt, newStepProgress } from "../../attempts/attempt.ts";
import { isNotFound } from "../../client/index.ts";
import type { Cluster } from "../../clusters/provider.ts";
import { message } from "../../messages/catalogue.ts";
import { PracticeError } from "../../messages/practice-error.ts";
import { readNodes } from "../../tasks/node-changes.ts";
import { namespaceOfOthers } from "../../tasks/remove-objects.ts";
import type { Step, Task } from "../../tasks/task.ts";
import { attemptsOf, currentStep } from "../attempts.ts";
import { bringUp, pointLearner } from "../cluster-session.ts";
import type { CommandContext } from "../command.ts";
import type { StartOptions } from "./options.ts";
import { prepare } from "./prepare.ts";

/**
 * Goes on with an attempt: its cluster runs again and kubectl points at it. Where the cluster was lost and made anew,
 * the start state is applied again, and the current step begins now.
 */
export async function continueTask(
  { task, attempt, options }: { task: Task; attempt: Attempt; options: StartOptions },
  context: CommandContext,
): Promise<{ step: Step; cluster: Cluster }> {
  const { out, say, signal } = context;
  const { cluster, client } = await bringUp({ task, wanted: attempt.cluster, choice: options }, context);
  try {
    const step = currentStep(task, attempt);
    const next = { ...attempt, currentStep: step.name, taskHash: task.hash };
    if (attempt.taskHash !== task.hash) out.note(say(message("cli.start.task-changed")));
    const exists = await client.call({ path: `/api/v1/namespaces/${attempt.namespace}`, signal }).then(
      () => true,
      (error: unknown) => {
        if (isNotFound(error)) return false;
        throw error;
      },
    );
    if (!exists) {
      out.note(say(message("cli.start.made-anew")));
      next.nodes = await readNodes(client, signal);
      await prepare({ task, client, nodes: next.nodes }, context);
      next.steps = { ...attempt.steps, [step.name]: { ...newStepProgress(Date.now()), ...failuresOf(attempt, step) } };
    } else if (await namespaceOfOthers(client, task, signal)) {
      throw new PracticeError("usage", "cli.start.namespace-taken", { namespace: attempt.namespace });
    }
    await pointLearner(cluster, { namespace: attempt.namespace, file: options.kubeconfig }, context);
    const attempts = attemptsOf(context);
    await attempts.write(next);
    await attempts.setActive(task.name);
    return { step, cluster };
  } finally {
    client.close();
  }
}

function failuresOf(attempt: Attempt, step: Step) {
  const { failures = 0, hintsShown = 0 } = attempt.steps[step.name] ?? {};
  return { failures, hintsShown };
}
