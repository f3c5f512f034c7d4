import type { KubeClient } from "../../client/index.ts";
import { message } from "../../messages/catalogue.ts";
import { PracticeError } from "../../messages/practice-error.ts";
import { applyStartState } from "../../tasks/start-state.ts";
import type { Task } from "../../tasks/task.ts";
import { waitReady } from "../../tasks/wait-ready.ts";
import type { CommandContext } from "../command.ts";

/** How long a start state may take to be rolled out; images may have to be pulled on a real cluster. */
const readyTimeout = 180_000;

/**
 * Applies the start state and waits until what the task names is ready.
 *
 * @throws PracticeError of kind environment when it does not become ready
 */
export async function prepare(
  { task, client }: { task: Task; client: KubeClient },
  context: CommandContext,
): Promise<void> {
  const { out, say, signal } = context;
  const line = await out.spinner(say(message("cli.start.applying", { task: task.name })));
  try {
    await applyStartState(client, task, { say, signal });
    for (const what of task.spec.ready ?? []) {
      line.update(say(message("cli.start.waiting", { what })));
      const state = await waitReady(client, { what, namespace: task.spec.namespace, timeout: readyTimeout, signal });
      if (state !== undefined) {
        throw new PracticeError("environment", "cli.start.not-ready", { what, seconds: readyTimeout / 1000, state });
      }
    }
  } finally {
    line.done();
  }
}
