import type { Cluster } from "../../clusters/provider.ts";
import { message } from "../../messages/catalogue.ts";
import { PracticeError } from "../../messages/practice-error.ts";
import type { CommandContext } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import type { ClusterCommandOptions } from "./options.ts";
import { runningCluster } from "./running-cluster.ts";

type NodeAction = (cluster: Cluster, name: string) => Promise<void> | undefined;

const actions: Record<string, NodeAction> = {
  stop: (cluster, name) => cluster.stopNode?.(name),
  start: (cluster, name) => cluster.startNode?.(name),
  add: (cluster, name) => cluster.addNode?.(name),
  remove: (cluster, name) => cluster.removeNode?.(name),
};

/** Does to a node what an accident or an administrator would: power off, power on, join, leave. */
export async function clusterNode({ words = [] }: ClusterCommandOptions, context: CommandContext): Promise<ExitCode> {
  const [action = "", name] = words;
  const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (run === undefined || name === undefined || words.length > 2) {
    throw new PracticeError("usage", "clusters.command.node-usage");
  }
  const cluster = await runningCluster(context);
  const work = run(cluster, name);
  if (work === undefined) throw new PracticeError("usage", "clusters.command.node-unable", { id: cluster.id, action });
  await work;
  const { out, say } = context;
  out.result({ node: name, action, cluster: cluster.id }, () =>
    say(message("clusters.command.node-done", { action, name })),
  );
  return exitCodes.ok;
}
