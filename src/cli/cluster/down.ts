import { restoreKubectl, selectCluster } from "../../clusters/index.ts";
import { message } from "../../messages/catalogue.ts";
import type { CommandContext } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import { describeError } from "../report-error.ts";
import type { ClusterCommandOptions } from "./options.ts";
import { withProgress } from "./progress-line.ts";

const contexts: Record<string, string> = { embedded: "k8s-practice-embedded", kind: "kind-k8s-practice" };

/** Deletes the clusters we made (or the one `--cluster` names) and takes them out of the learner's kubeconfig. */
export async function clusterDown(_: ClusterCommandOptions, context: CommandContext): Promise<ExitCode> {
  const { globals, env, out, say } = context;
  const { home, cluster: named } = globals;
  const wanted = named === undefined || named === "auto" ? ["embedded", "kind"] : [named];
  const removed: { id: string; kubectl: { file: string; current?: string }[] }[] = [];
  for (const id of wanted) {
    const { provider } = await selectCluster({ wanted: id, home, env });
    const existed = await withProgress(out, say, (progress) => {
      progress.phase(message("clusters.command.removing", { id }));
      return provider.down();
    });
    const name = contexts[id] ?? `k8s-practice-${id.replace(/^context:/, "")}`;
    const { changed, failed } = await restoreKubectl(name, { home, env });
    for (const error of failed) out.note(describeError(error, say).error.message);
    if (existed || changed.length > 0) removed.push({ id, kubectl: changed });
  }
  out.result({ removed }, () => {
    if (removed.length === 0) return say(message("clusters.command.nothing-down"));
    return removed
      .flatMap(({ id, kubectl }) => [
        say(message("clusters.command.down", { id })),
        ...kubectl.map(({ file, current }) =>
          say(message("clusters.command.restored", { file, current: current ?? "none" })),
        ),
      ])
      .join("\n");
  });
  return exitCodes.ok;
}
