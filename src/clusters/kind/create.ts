import { appendFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { message } from "../../messages/catalogue.ts";
import { writeAtomically } from "../files/atomic-write.ts";
import type { clusterPaths } from "../home.ts";
import { runProgram } from "../program/programs.ts";
import type { ClusterShape, Progress } from "../provider.ts";
import { auditPolicy, KIND_CLUSTER, kindConfig, nodeNames } from "./config.ts";
import { exportedFindings } from "./exported-logs.ts";
import { failureError } from "./failures.ts";
import { phaseOf } from "./phases.ts";

type KindPaths = ReturnType<typeof clusterPaths>["kind"];

const CREATE_TIMEOUT_MS = 15 * 60_000;

export interface CreateOptions {
  paths: KindPaths;
  /** kind's environment, with the engine chosen. */
  env: NodeJS.ProcessEnv;
  image: string;
  shape: ClusterShape;
  clusterId: string;
  progress: Progress;
  signal?: AbortSignal;
}

/** The folder on this machine that a control plane's audit log is mounted from. */
export function auditFolder(paths: KindPaths, node: string): string {
  return join(paths.audit, node);
}

/**
 * Runs `kind create cluster` on a configuration of ours. When it fails: its logs are exported and searched for the
 * cause, what it left is deleted, and one cause is thrown. When it is aborted, what it left is deleted too.
 */
export async function createCluster(options: CreateOptions): Promise<void> {
  const { paths, env, image, progress, signal } = options;
  await writeInputs(options);
  const log = logger(paths.log);
  const args = ["create", "cluster", "--name", KIND_CLUSTER, "--config", paths.config, "--image", image];
  const result = await runProgram("kind", [...args, "--kubeconfig", paths.kubeconfig, "--retain"], {
    env,
    signal,
    timeoutMs: CREATE_TIMEOUT_MS,
    onLine(line) {
      log.write(line);
      const phase = phaseOf(line);
      if (phase !== undefined) progress.phase(phase.text, phase.fraction);
    },
  });
  await log.flush();
  if (result.code === 0) return;
  if (signal?.aborted) {
    await deleteCluster(paths, env);
    signal.throwIfAborted();
  }
  progress.phase(message("clusters.kind.phase.cause"));
  const output = `${result.stderr}\n${result.stdout}`;
  const findings = await exportLogs(paths, env, output);
  await deleteCluster(paths, env);
  throw failureError(`${output}\n${findings}`, paths.log);
}

async function writeInputs({ paths, shape, clusterId }: CreateOptions): Promise<void> {
  for (const node of nodeNames(shape).filter((name) => name.includes("-control-plane"))) {
    await rm(auditFolder(paths, node), { recursive: true, force: true });
    await mkdir(auditFolder(paths, node), { recursive: true });
  }
  await writeAtomically(paths.auditPolicy, auditPolicy(), 0o644);
  const config = {
    shape,
    clusterId,
    auditPolicy: paths.auditPolicy,
    auditFolder: (node: string) => auditFolder(paths, node),
  };
  await writeAtomically(paths.config, kindConfig(config), 0o644);
}

/** Where the cluster got as far as having nodes, the cause is in their logs. */
async function exportLogs(paths: KindPaths, env: NodeJS.ProcessEnv, output: string): Promise<string> {
  if (!/Preparing nodes/.test(output)) return "";
  await rm(paths.exportedLogs, { recursive: true, force: true });
  await runProgram("kind", ["export", "logs", paths.exportedLogs, "--name", KIND_CLUSTER], { env, timeoutMs: 120_000 });
  return exportedFindings(paths.exportedLogs);
}

/** `kind delete cluster`, which is also right for half a cluster. Throws the known cause when it fails. */
export async function deleteCluster(paths: KindPaths, env: NodeJS.ProcessEnv): Promise<void> {
  const args = ["delete", "cluster", "--name", KIND_CLUSTER, "--kubeconfig", paths.kubeconfig];
  const result = await runProgram("kind", args, { env, timeoutMs: 180_000 });
  const output = `${result.stderr}\n${result.stdout}`;
  const log = logger(paths.log);
  log.write(output.trim());
  await log.flush();
  if (result.code !== 0) throw failureError(output, paths.log);
}

/** Appends lines to the log file, in order, with the time. */
function logger(file: string) {
  let written: Promise<unknown> = Promise.resolve();
  return {
    write(line: string) {
      written = written.then(() => appendFile(file, `${new Date().toISOString()} ${line}\n`));
    },
    flush: () => written,
  };
}
