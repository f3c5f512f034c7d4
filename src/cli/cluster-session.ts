import { KubeClient, readCredentials } from "../client/index.ts";
import {
  type ClusterSelection,
  type ContextUse,
  kubectlTarget,
  pointKubectl,
  selectCluster,
} from "../clusters/index.ts";
import type { Cluster } from "../clusters/provider.ts";
import { type Message, message } from "../messages/catalogue.ts";
import { PracticeError } from "../messages/practice-error.ts";
import { changesNodes } from "../tasks/node-changes.ts";
import { imagesOf } from "../tasks/start-state.ts";
import type { Task } from "../tasks/task.ts";
import { ask } from "./ask.ts";
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

function select(wanted: string, context: CommandContext, task: string, use?: ContextUse): Promise<ClusterSelection> {
  return selectCluster({ wanted, home: context.globals.home, env: context.env, task, use });
}

/** What `start` was told about the cluster. */
export interface ClusterChoice {
  recreate: boolean;
  /** Agreed: work on a cluster that is not ours. */
  yes: boolean;
  /** Agreed: change its nodes. */
  allowNodes: boolean;
}

/**
 * Brings the cluster up for a task, with its phases shown; says which kind `auto` chose and why. Where somebody else's
 * cluster needs the learner's consent and a person is there, they are asked.
 */
export async function bringUp(
  { task, wanted, choice }: { task: Task; wanted: string; choice: ClusterChoice },
  context: CommandContext,
): Promise<ClusterSession> {
  const { out, say, signal } = context;
  const use = {
    task: task.name,
    namespace: task.spec.namespace,
    changesNodes: changesNodes(task),
    yes: choice.yes,
    allowNodes: choice.allowNodes,
  };
  const { provider, why } = await select(wanted, context, task.name, use);
  if (why !== undefined) out.note(out.paint("dim", say(why), "stderr"));
  const line = await out.spinner(task.name);
  const progress = { phase: (text: Message) => line.update(say(text)) };
  try {
    const cluster = await provider.up(task.shape, progress, { recreate: choice.recreate, signal });
    if (cluster.prepareImages !== undefined) {
      await cluster.prepareImages(await imagesOf(task, say), progress, signal);
    }
    return await connect(cluster);
  } catch (error) {
    line.done();
    const asked = error instanceof PracticeError && out.interactive ? error.text.key : undefined;
    if (asked !== "clusters.context.consent" && asked !== "clusters.context.nodes") throw error;
    out.note(say((error as PracticeError).text));
    const typed = await ask(say(message("cli.start.consent")), context);
    if (!/^y/i.test(typed.trim())) throw error;
    const agreed = asked === "clusters.context.consent" ? { yes: true } : { yes: true, allowNodes: true };
    return await bringUp({ task, wanted, choice: { ...choice, ...agreed } }, context);
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
export async function pointLearner(
  cluster: Cluster,
  { namespace, file }: { namespace: string; file?: string },
  context: CommandContext,
): Promise<void> {
  const { globals, env, out, say } = context;
  try {
    await pointKubectl(cluster, { home: globals.home, env, namespace, file });
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
