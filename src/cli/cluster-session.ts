import { KubeClient, readCredentials } from "../client/index.ts";
import { type ClusterSelection, kubectlTarget, pointKubectl, selectCluster } from "../clusters/index.ts";
import type { Cluster } from "../clusters/provider.ts";
import { message } from "../messages/catalogue.ts";
import { PracticeError } from "../messages/practice-error.ts";
import type { Task } from "../tasks/task.ts";
import type { CommandContext } from "./command.ts";

/** A cluster with a connection of our own to it. */
export interface ClusterSession {
  cluster: Cluster;
  client: KubeClient;
}

async function connect(cluster: Cluster): Promise<ClusterSession> {
  const client = new KubeClient(await readCredentials(cluster.kubeconfigPath, cluster.context));
  return { cluster, client };
}

function select(wanted: string, context: CommandContext, task: string): Promise<ClusterSelection> {
  return selectCluster({ wanted, home: context.globals.home, env: context.env, task });
}

/** Brings the cluster up for a task, with its phases shown; says which kind `auto` chose and why. */
export async function bringUp(
  { task, wanted, recreate }: { task: Task; wanted: string; recreate: boolean },
  context: CommandContext,
): Promise<ClusterSession> {
  const { out, say, signal } = context;
  const { provider, why } = await select(wanted, context, task.name);
  if (why !== undefined) out.note(out.paint("dim", say(why), "stderr"));
  const line = await out.spinner("");
  try {
    const progress = { phase: (text: Parameters<typeof say>[0]) => line.update(say(text)) };
    const cluster = await provider.up(task.shape, progress, { recreate, signal });
    return await connect(cluster);
  } finally {
    line.done();
  }
}

/** The running cluster of an attempt, never started by this; undefined when it does not run. */
export async function findRunning(
  { wanted, task }: { wanted: string; task: string },
  context: CommandContext,
): Promise<ClusterSession | undefined> {
  const { provider } = await select(wanted, context, task);
  const cluster = await provider.find();
  return cluster && connect(cluster);
}

/** @throws PracticeError of kind environment when the attempt's cluster does not run */
export async function requireRunning(
  attempt: { cluster: string; task: string },
  context: CommandContext,
): Promise<ClusterSession> {
  const session = await findRunning({ wanted: attempt.cluster, task: attempt.task }, context);
  if (session === undefined) {
    throw new PracticeError("environment", "cli.cluster-gone", { id: attempt.cluster, task: attempt.task });
  }
  return session;
}

/** Points the learner's kubectl at the cluster; a kubeconfig that can't be written is told and is no reason to stop. */
export async function pointLearner(cluster: Cluster, namespace: string, context: CommandContext): Promise<void> {
  const { globals, env, out, say } = context;
  try {
    await pointKubectl(cluster, { home: globals.home, env, namespace });
  } catch (error) {
    if (!(error instanceof PracticeError)) throw error;
    out.note(`${out.paint("yellow", "! ", "stderr")}${say(error.text)}`);
    if (error.hint !== undefined) out.note(out.paint("dim", `→ ${say(error.hint)}`, "stderr"));
  }
}

/** Says so when the learner's kubectl points elsewhere; our own calls never follow it. */
export async function warnIfElsewhere(cluster: Cluster, context: CommandContext): Promise<void> {
  const { env, out, say } = context;
  const target = await kubectlTarget(cluster, { env });
  if (target.pointsHere) return;
  const values = { context: target.context ?? "–", wanted: cluster.context };
  out.note(`${out.paint("yellow", "! ", "stderr")}${say(message("cli.verify.elsewhere", values))}`);
  out.note(out.paint("dim", `→ ${say(message("cli.verify.elsewhere.fix"))}`, "stderr"));
}
