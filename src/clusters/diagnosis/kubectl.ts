import { message } from "../../messages/catalogue.ts";
import { runProgram } from "../program/programs.ts";
import type { Finding } from "./finding.ts";

/** The Kubernetes minor the tasks and the embedded cluster are made for. */
const OUR_MINOR = 36;

/**
 * kubectl and its skew: Kubernetes supports a kubectl one minor older or newer than the API server
 * (https://kubernetes.io/releases/version-skew-policy/#kubectl).
 * @param server the running cluster's version, `v1.36.4`; absent: what a cluster of ours would have
 */
export async function checkKubectl(env: NodeJS.ProcessEnv, server?: string): Promise<Finding> {
  const base = { id: "kubectl" as const, neededFor: "everything" as const };
  const fix = message("clusters.doctor.kubectl.fix", { platform: process.platform, arch: goArchitecture() });
  const result = await runProgram("kubectl", ["version", "--client", "-o", "json"], { env, timeoutMs: 10_000 });
  if (result.missing) return { ...base, state: "missing", detail: message("clusters.doctor.kubectl.missing"), fix };
  const version = clientVersion(result.stdout);
  if (version === undefined) {
    const reason = result.stderr.trim().split("\n")[0] ?? "";
    return { ...base, state: "missing", detail: message("clusters.doctor.kubectl.broken", { reason }), fix };
  }
  const minor = minorOf(version) ?? OUR_MINOR;
  const wanted = server === undefined ? OUR_MINOR : (minorOf(server) ?? OUR_MINOR);
  const values = { version, server: server ?? `v1.${OUR_MINOR}` };
  if (Math.abs(minor - wanted) > 1) {
    return { ...base, state: "warning", detail: message("clusters.doctor.kubectl.skew", values), fix };
  }
  return { ...base, state: "ok", detail: message("clusters.doctor.kubectl.ok", values) };
}

function clientVersion(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { clientVersion?: { gitVersion?: string } }).clientVersion?.gitVersion;
  } catch {
    return undefined;
  }
}

function minorOf(version: string): number | undefined {
  const match = /^v1\.(\d+)/.exec(version);
  return match === null ? undefined : Number(match[1]);
}

function goArchitecture(): string {
  return process.arch === "x64" ? "amd64" : process.arch;
}
