import { basename } from "node:path";
import { message } from "../messages/catalogue.ts";
import { PracticeError } from "../messages/practice-error.ts";
import { defineCommand } from "./command.ts";
import { completionScript, isShell, shells } from "./completion-script.ts";
import { exitCodes } from "./exit-code.ts";

/** `completion [bash|zsh|fish]`: prints the script that a shell evaluates. */
export default defineCommand({
  options: (args, say) =>
    args.positional("shell", { type: "string", choices: shells, describe: say(message("cli.completion.shell")) }),
  async run(options: { shell?: string }, { out, env }) {
    const shell = options.shell ?? basename(env["SHELL"] ?? "");
    if (!isShell(shell)) throw new PracticeError("usage", "cli.completion.unknown-shell");
    const script = completionScript(shell);
    out.result({ shell, script }, () => script);
    return exitCodes.ok;
  },
});
