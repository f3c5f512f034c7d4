import { basename } from "node:path";
import { pointKubectl } from "../clusters/index.ts";
import { message } from "../messages/catalogue.ts";
import { activeAttempt, runningCluster } from "./cluster/running-cluster.ts";
import { defineCommand } from "./command.ts";
import { exitCodes } from "./exit-code.ts";

interface EnvOptions {
  shell?: string;
  namespace?: string;
}

const shells = ["sh", "bash", "zsh", "fish", "powershell"] as const;

/** Prints what points kubectl at the practice cluster in this shell only: `eval "$(./run env)"`. */
export default defineCommand<EnvOptions>({
  options: (args, say) =>
    args
      .option("shell", { type: "string", choices: shells, describe: say(message("clusters.env.shell")) })
      .option("namespace", {
        alias: "n",
        type: "string",
        requiresArg: true,
        describe: say(message("clusters.use.namespace")),
      }),
  async run({ shell, namespace }, context) {
    const { globals, env, out } = context;
    const cluster = await runningCluster(context);
    // A file of its own: the runner's kubeconfig has no namespace, and the learner's is not to be touched.
    const file = `${globals.home}/clusters/kubectl/${cluster.context.replaceAll(/[^A-Za-z0-9.-]+/g, "-")}`;
    await pointKubectl(cluster, {
      home: globals.home,
      env,
      namespace: namespace ?? (await activeAttempt(context))?.namespace ?? "default",
      file,
    });
    const chosen = shell ?? basename(env["SHELL"] ?? "sh");
    out.result({ env: { KUBECONFIG: file } }, () => assignment(chosen, file));
    return exitCodes.ok;
  },
});

function assignment(shell: string, file: string): string {
  if (shell === "fish") return `set -gx KUBECONFIG '${file.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}';`;
  if (shell === "powershell") return `$env:KUBECONFIG = '${file.replaceAll("'", "''")}'`;
  return `export KUBECONFIG='${file.replaceAll("'", "'\\''")}'`;
}
