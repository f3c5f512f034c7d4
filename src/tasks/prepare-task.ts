import type { KubeClient } from "../client/index.ts";
import { type Message, message } from "../messages/catalogue.ts";
import { PracticeError } from "../messages/practice-error.ts";
import type { Say } from "../messages/translator.ts";
import type { NodeBaseline } from "../verify/define-step.ts";
import { applyShape } from "./node-changes.ts";
import { applyStartState } from "./start-state.ts";
import type { Task } from "./task.ts";
import { waitReady } from "./wait-ready.ts";

/** How long a start state may take to be rolled out; images may have to be pulled on a real cluster. */
const defaultTimeout = 180_000;

export interface PrepareOptions {
  say: Say;
  signal: AbortSignal;
  /** Milliseconds for each object that has to be ready. */
  timeout?: number;
  onPhase?(phase: Message): void;
}

/**
 * Brings a cluster to a task's start state: labels and taints of its shape on `nodes` (as they are now), its namespace,
 * its objects; returns when what it names is ready. Doing it again changes nothing.
 *
 * @throws PracticeError of kind usage when a manifest is wrong, of kind environment when something does not get ready
 */
export async function prepareTask(
  client: KubeClient,
  task: Task,
  nodes: NodeBaseline[],
  { say, signal, timeout = defaultTimeout, onPhase }: PrepareOptions,
): Promise<void> {
  const { namespace, ready = [] } = task.spec;
  onPhase?.(message("tasks.preparing", { task: task.name }));
  await applyShape(client, task, nodes, signal);
  await applyStartState(client, task, { say, signal });
  for (const what of ready) {
    onPhase?.(message("tasks.waiting", { what }));
    const state = await waitReady(client, { what, namespace, timeout, signal });
    if (state !== undefined) {
      throw new PracticeError("environment", "tasks.not-ready", { what, seconds: timeout / 1000, state });
    }
  }
}
