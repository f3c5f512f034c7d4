import type { KubeClient } from "../../client/index.ts";
import { prepareTask } from "../../tasks/prepare-task.ts";
import type { Task } from "../../tasks/task.ts";
import type { NodeBaseline } from "../../verify/define-step.ts";
import type { CommandContext } from "../command.ts";

/** Brings the cluster to the task's start state, with a line of progress. */
export async function prepare(
  { task, client, nodes }: { task: Task; client: KubeClient; nodes: NodeBaseline[] },
  { out, say, signal }: CommandContext,
): Promise<void> {
  const line = await out.spinner(task.name);
  try {
    await prepareTask(client, task, nodes, { say, signal, onPhase: (phase) => line.update(say(phase)) });
  } finally {
    line.done();
  }
}
