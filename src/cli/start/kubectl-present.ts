import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { message } from "../../messages/catalogue.ts";
import type { CommandContext } from "../command.ts";

/** Warns a learner without kubectl, with the line that installs it on their system. */
export async function warnWithoutKubectl({ env, out, say }: CommandContext): Promise<void> {
  if (await isInPath("kubectl", env)) return;
  out.note(`${out.paint("yellow", "! ", "stderr")}${say(message("cli.start.kubectl-missing"))}`);
  out.note(
    `→ ${say(message("cli.start.kubectl-missing.hint", { install: installLine(process.platform, process.arch) }))}`,
  );
}

async function isInPath(program: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  for (const folder of (env["PATH"] ?? "").split(delimiter).filter((f) => f !== "")) {
    const found = await access(join(folder, program), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return true;
  }
  return false;
}

/** https://kubernetes.io/docs/tasks/tools/ */
export function installLine(platform: NodeJS.Platform, arch: string): string {
  if (platform === "darwin") return "brew install kubectl";
  if (platform === "win32") return "winget install -e --id Kubernetes.kubectl";
  const cpu = arch === "x64" ? "amd64" : arch;
  return `curl -LO https://dl.k8s.io/release/v1.36.2/bin/linux/${cpu}/kubectl && sudo install -m 0755 kubectl /usr/local/bin/kubectl`;
}
