import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";

/**
 * The learner's kubeconfig files in kubectl's order of precedence: those of KUBECONFIG, else `~/.kube/config`
 * (https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/).
 */
export function kubeconfigFiles(env: NodeJS.ProcessEnv): string[] {
  const listed = (env["KUBECONFIG"] ?? "").split(delimiter).filter((file) => file !== "");
  if (listed.length > 0) return [...new Set(listed.map((file) => resolve(file)))];
  return [join(env["HOME"] || homedir(), ".kube", "config")];
}

/** The file kubectl (and kind) would write a new entry to: the first that exists, else the last one named. */
export function fileToWrite(files: string[]): string {
  return files.find((file) => existsSync(file)) ?? files.at(-1)!;
}
