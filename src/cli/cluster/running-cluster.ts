import { selectCluster } from "../../clusters/index.ts";
import type { Cluster } from "../../clusters/provider.ts";
import { PracticeError } from "../../messages/practice-error.ts";
import type { CommandContext } from "../command.ts";

/**
 * The running cluster a command is about: the one `--cluster` names, else ours that runs (embedded before kind).
 * Throws PracticeError `clusters.none-running` when there is none.
 */
export async function runningCluster({ globals, env }: CommandContext): Promise<Cluster> {
  const wanted = globals.cluster ?? "auto";
  const kinds = wanted === "auto" ? ["embedded", "kind"] : [wanted];
  for (const kind of kinds) {
    const { provider } = await selectCluster({ wanted: kind, home: globals.home, env });
    const cluster = await provider.find();
    if (cluster !== undefined) return cluster;
  }
  throw new PracticeError("environment", "clusters.none-running");
}
