import { type Attempt, newStepProgress } from "../../attempts/attempt.ts";
import type { Cluster } from "../../clusters/provider.ts";
import { PracticeError } from "../../messages/practice-error.ts";
import { readNodes, undoNodeChanges } from "../../tasks/node-changes.ts";
import { namespaceOfOthers, removeObjects } from "../../tasks/remove-objects.ts";
import type { Step, Task } from "../../tasks/task.ts";
import { attemptsOf } from "../attempts.ts";
import { bringUp, pointLearner } from "../cluster-session.ts";
import type { CommandContext } from "../command.ts";
import type { StartOptions } from "./options.ts";
import { prepare } from "./prepare.ts";

/**
 * Begins a task from its start state. What an earlier attempt left behind is removed first. The attempt is written
 * before anything is made, so that an interrupted start can be undone or gone on with.
 */
export async function beginTask(
  { task, attempt, options }: { task: Task; attempt: Attempt | undefined; options: StartOptions },
  context: CommandContext,
): Promise<{ step: Step; cluster: Cluster }> {
  const { globals, say, signal } = context;
  const attempts = attemptsOf(context);
  const wanted = globals.cluster ?? (attempt === undefined || attempt.state === "stopped" ? "auto" : attempt.cluster);
  const { cluster, client } = await bringUp({ task, wanted, choice: options }, context);
  try {
    if (await namespaceOfOthers(client, task, signal)) {
      throw new PracticeError("usage", "cli.start.namespace-taken", { namespace: task.spec.namespace });
    }
    // Nodes an earlier attempt changed are not the baseline of this one.
    const stale = attempt !== undefined && attempt.state !== "stopped" && attempt.cluster === cluster.id;
    if (stale) await undoNodeChanges(client, attempt.nodes, { signal, only: cluster.owned ? undefined : task });
    const nodes = await readNodes(client, signal);
    const first = task.steps[0]!;
    const fresh: Attempt = {
      task: task.name,
      taskHash: task.hash,
      cluster: cluster.id,
      namespace: task.spec.namespace,
      state: "preparing",
      startedAt: Date.now(),
      currentStep: first.name,
      steps: {},
      nodes,
    };
    await attempts.write(fresh);
    await removeObjects(client, task, { say, signal });
    await prepare({ task, client, nodes }, context);
    await pointLearner(cluster, { namespace: task.spec.namespace, file: options.kubeconfig }, context);
    const now = Date.now();
    await attempts.write({
      ...fresh,
      state: "under-way",
      startedAt: now,
      steps: { [first.name]: newStepProgress(now) },
    });
    await attempts.setActive(task.name);
    return { step: first, cluster };
  } finally {
    client.close();
  }
}
