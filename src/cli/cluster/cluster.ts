import { message } from "../../messages/catalogue.ts";
import { PracticeError } from "../../messages/practice-error.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import type { ExitCode } from "../exit-code.ts";
import { clusterDown } from "./down.ts";
import { clusterList } from "./list.ts";
import { clusterNode } from "./node.ts";
import type { ClusterCommandOptions } from "./options.ts";
import { clusterUp } from "./up.ts";

type Action = (options: ClusterCommandOptions, context: CommandContext) => Promise<ExitCode>;

const actions: Record<string, Action> = {
  up: clusterUp,
  down: clusterDown,
  status: clusterList,
  list: clusterList,
  node: clusterNode,
};

/** `cluster up|down|status|list`, `cluster node stop|start|add|remove NAME`. */
export default defineCommand<ClusterCommandOptions>({
  options: (args, say) =>
    args
      .positional("action", { type: "string", describe: say(message("clusters.command.action")) })
      .positional("words", { type: "string", array: true, describe: say(message("clusters.command.words")) })
      .option("workers", { type: "string", requiresArg: true, describe: say(message("clusters.command.workers")) })
      .option("recreate", { type: "boolean", describe: say(message("clusters.command.recreate")) })
      .option("yes", { type: "boolean", describe: say(message("clusters.command.yes")) }),
  async run(options, context) {
    const action = options.action ?? "status";
    const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (run === undefined) throw new PracticeError("usage", "clusters.command.unknown", { action });
    return run(options, context);
  },
});
