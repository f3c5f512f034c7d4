import { kubectlTarget, selectCluster } from "../../clusters/index.ts";
import { message } from "../../messages/catalogue.ts";
import type { CommandContext } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import type { ClusterCommandOptions } from "./options.ts";

/** Which clusters run, and where kubectl points. Starts nothing and asks only clusters of ours. */
export async function clusterList(_: ClusterCommandOptions, context: CommandContext): Promise<ExitCode> {
  const { globals, env, out, say } = context;
  const named = globals.cluster;
  const kinds = named === undefined || named === "auto" ? ["embedded", "kind"] : [named];
  const clusters = await Promise.all(
    kinds.map(async (id) => {
      const { provider } = await selectCluster({ wanted: id, home: globals.home, env });
      const cluster = await provider.find();
      if (cluster === undefined) return { id, running: false as const };
      const target = await kubectlTarget(cluster, { env });
      return {
        id,
        running: true as const,
        version: cluster.version,
        context: cluster.context,
        kubeconfig: cluster.kubeconfigPath,
        capabilities: [...cluster.capabilities],
        kubectlPointsHere: target.pointsHere,
      };
    }),
  );
  out.result({ clusters }, () => {
    const width = Math.max(...clusters.map(({ id }) => id.length));
    return clusters
      .map((cluster) => {
        const id = cluster.id.padEnd(width);
        if (!cluster.running) return `${id}  ${out.paint("dim", say(message("clusters.command.not-running")))}`;
        const { version, context: name, kubectlPointsHere } = cluster;
        const mark = kubectlPointsHere ? `  ${say(message("clusters.command.kubectl-here"))}` : "";
        return `${id}  ${out.paint("green", say(message("clusters.command.running")))}  ${version}  ${name}${mark}`;
      })
      .join("\n");
  });
  return exitCodes.ok;
}
