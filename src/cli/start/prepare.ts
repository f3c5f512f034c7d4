import type { KubeClient } from "../../client/index.ts";
import { explainRefusal } from "../../clusters/index.ts";
import { PracticeError } from "../../messages/practice-error.ts";
import { prepareTask } from "../../tasks/prepare-task.ts";
import type { Task } from "../../tasks/task.ts";
import type { NodeBaseline } from "../../verify/define-step.ts";
import type { CommandContext } from "../command.ts";

/**
 * Brings the cluster to the task's start state, with a line of progress. Where a rule of the cluster is in the way (Pod
 * Security, a quota, a webhook …), that is what is said, not its consequence.
 */
export async function prepare(
  { task, client, nodes }: { task: Task; client: KubeClient; nodes: NodeBaseline[] },
  context: CommandContext,
): Promise<void> {
  const { out, say, signal } = context;
  const line = await out.spinner(task.name);
  try {
    await prepareTask(client, task, nodes, { say, signal, onPhase: (phase) => line.update(say(phase)) });
  } catch (error) {
    if (!(error instanceof PracticeError)) throw error;
    const said = [...(error.options.details ?? []), ...(await failedCreations(client, task.spec.namespace))];
    const refusal = said.map(explainRefusal).find((found) => found !== undefined);
    if (refusal === undefined) throw error;
    const values = { reason: say(refusal.reason), remedy: say(refusal.remedy) };
    throw new PracticeError("environment", "clusters.refused", values, { cause: error });
  } finally {
    line.done();
  }
}

/** What controllers were told when they tried to make Pods. */
async function failedCreations(client: KubeClient, namespace: string): Promise<string[]> {
  const query = { fieldSelector: "reason=FailedCreate" };
  const path = `/api/v1/namespaces/${namespace}/events`;
  try {
    const { items } = await client.call<{ items: { message?: string }[] }>({ path, query });
    return items.map(({ message }) => message ?? "");
  } catch {
    return [];
  }
}
