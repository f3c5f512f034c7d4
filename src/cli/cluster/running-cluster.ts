import type { Attempt } from "../../attempts/attempt.ts";
import { selectCluster } from "../../clusters/index.ts";
import type { Cluster } from "../../clusters/provider.ts";
import { PracticeError } from "../../messages/practice-error.ts";
import { attemptsOf } from "../attempts.ts";
import type { CommandContext } from "../command.ts";

/** The task under way, if there is one. */
export async function activeAttempt(context: CommandContext): Promise<Attempt | undefined> {
  const attempts = attemptsOf(context);
  const task = await attempts.active();
  const attempt = task === undefined ? undefined : await attempts.read(task);
  return attempt?.state === "stopped" ? undefined : attempt;
}

/**
 * The running cluster a command is about: the one `--cluster` names, else the task's under way, else ours that runs
 * (embedded before kind). Throws PracticeError `clusters.none-running` when there is none.
 */
export async function runningCluster(context: CommandContext): Promise<Cluster> {
  const { globals, env } = context;
  const wanted = globals.cluster ?? (await activeAttempt(context))?.cluster ?? "auto";
  const kinds = wanted === "auto" ? ["embedded", "kind"] : [wanted];
  for (const kind of kinds) {
    const { provider } = await selectCluster({ wanted: kind, home: globals.home, env });
    const cluster = await provider.find();
    if (cluster !== undefined) return cluster;
  }
  throw new PracticeError("environment", "clusters.none-running");
}
