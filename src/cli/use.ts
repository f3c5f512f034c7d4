import { pointKubectl } from "../clusters/index.ts";
import { message } from "../messages/catalogue.ts";
import { activeAttempt, runningCluster } from "./cluster/running-cluster.ts";
import { defineCommand } from "./command.ts";
import { exitCodes } from "./exit-code.ts";

interface UseOptions {
  namespace?: string;
  kubeconfig?: string;
}

/** Points kubectl at the practice cluster again. */
export default defineCommand<UseOptions>({
  options: (args, say) =>
    args
      .option("namespace", {
        alias: "n",
        type: "string",
        requiresArg: true,
        describe: say(message("clusters.use.namespace")),
      })
      .option("kubeconfig", { type: "string", requiresArg: true, describe: say(message("clusters.use.kubeconfig")) }),
  async run({ namespace, kubeconfig }, context) {
    const { globals, env, out, say } = context;
    const cluster = await runningCluster(context);
    const pointed = await pointKubectl(cluster, {
      home: globals.home,
      env,
      namespace: namespace ?? (await activeAttempt(context))?.namespace ?? "default",
      file: kubeconfig,
    });
    out.result({ kubectl: pointed }, () => say(message("clusters.command.pointed", pointed)));
    return exitCodes.ok;
  },
});
