import { pointKubectl, selectCluster } from "../../clusters/index.ts";
import { message } from "../../messages/catalogue.ts";
import { PracticeError } from "../../messages/practice-error.ts";
import type { CommandContext } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import { describeError } from "../report-error.ts";
import type { ClusterCommandOptions } from "./options.ts";
import { withProgress } from "./progress-line.ts";

/** Makes or finds the cluster without a task, and points kubectl at it. */
export async function clusterUp(options: ClusterCommandOptions, context: CommandContext): Promise<ExitCode> {
  const { globals, env, out, say, signal } = context;
  const workers = Number(options.workers ?? 2);
  if (!Number.isInteger(workers) || workers < 0 || workers > 50) {
    throw new PracticeError("usage", "clusters.command.bad-workers", { value: options.workers });
  }
  const use = {
    task: "cluster",
    namespace: "default",
    changesNodes: false,
    yes: options.yes ?? false,
    allowNodes: false,
  };
  const selection = await selectCluster({ wanted: globals.cluster ?? "auto", home: globals.home, env, use });
  if (selection.why !== undefined) out.note(out.paint("dim", say(selection.why), "stderr"));
  const cluster = await withProgress(out, say, (progress) =>
    selection.provider.up({ controlPlanes: 1, workers }, progress, { recreate: options.recreate, signal }),
  );
  let pointed: { file: string; context: string } | undefined;
  try {
    pointed = await pointKubectl(cluster, { home: globals.home, env, namespace: "default" });
  } catch (error) {
    if (!(error instanceof PracticeError)) throw error;
    const { message: text, hint } = describeError(error, say).error;
    out.note(`${text}\n${hint ?? ""}`);
  }
  const { id, version, kubeconfigPath } = cluster;
  const document = {
    cluster: { id, version, context: cluster.context, kubeconfig: kubeconfigPath, kubectl: pointed ?? null },
  };
  out.result(document, () => {
    const ready = say(message("clusters.command.up", { id, version }));
    return pointed === undefined ? ready : `${ready}\n${say(message("clusters.command.pointed", pointed))}`;
  });
  return exitCodes.ok;
}
