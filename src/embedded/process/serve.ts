import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import manifest from "../../../package.json" with { type: "json" };
import { openAuditLog } from "../audit/log-writer.ts";
import { loadPki, type Pki } from "../auth/pki.ts";
import type { EmbeddedCluster, EmbeddedClusterOptions, NodeShape } from "../cluster.ts";

/** The process could not have its port: start it with another. */
export const EXIT_PORT_TAKEN = 98;

/** What the process writes about itself into its data folder, once it can be reached. */
export interface ProcessFile {
  pid: number;
  port: number;
  url: string;
  /** The package's version. */
  version: string;
  /** What was found wrong with the data at the start, and what was kept; absent when all was well. */
  recovered?: string[];
}

/**
 * Runs a cluster until it is told to end (README.md here is the contract with the runner). Resolves with the exit code.
 * @param argv arguments without `node` and the script
 */
export async function serve(
  argv: string[],
  start: (options: EmbeddedClusterOptions & { pki?: Pki }) => Promise<EmbeddedCluster>,
): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      "data-dir": { type: "string" },
      port: { type: "string", default: "0" },
      nodes: { type: "string", default: "[]" },
    },
  });
  const dataDir = values["data-dir"];
  if (dataDir === undefined) {
    say("--data-dir is missing");
    return 2;
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const processFile = join(dataDir, "process.json");
  // What a killed process has left: nobody is to take it for this one. A living one's stays.
  if (!(await isAlive(processFile))) await rm(processFile, { force: true });
  const audit = openAuditLog(join(dataDir, "audit"));
  const ended = signalled();
  let cluster: EmbeddedCluster;
  try {
    cluster = await start({
      nodes: JSON.parse(values.nodes) as NodeShape[],
      dataDir,
      pki: await loadPki(join(dataDir, "pki")),
      port: Number(values.port),
      onAudit: (event) => audit.write(event),
      log: say,
    });
  } catch (error) {
    say((error as Error).stack ?? String(error));
    return (error as NodeJS.ErrnoException).code === "EADDRINUSE" ? EXIT_PORT_TAKEN : 1;
  }
  for (const line of cluster.recovered) say(`recovered: ${line}`);
  const { url, kubeconfig } = cluster;
  await replace(join(dataDir, "kubeconfig"), kubeconfig);
  const own: ProcessFile = {
    pid: process.pid,
    port: Number(new URL(url).port),
    url,
    version: manifest.version,
    ...(cluster.recovered.length > 0 ? { recovered: cluster.recovered } : {}),
  };
  await replace(processFile, `${JSON.stringify(own)}\n`);
  say(`listening on ${url}`);
  say(`ending: ${await ended}`);
  await rm(processFile, { force: true });
  await cluster.close();
  audit.close();
  return 0;
}

function signalled(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, resolve);
  });
}

/** A reader sees the old file or the new one, and it is for its owner only. */
async function replace(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, text, { mode: 0o600 });
  await rename(temporary, path);
}

function say(line: string): void {
  process.stderr.write(`${new Date().toISOString()} ${line}\n`);
}

/** Whether the process that a process.json speaks of is there (another program may have got its id since). */
async function isAlive(processFile: string): Promise<boolean> {
  try {
    const { pid } = JSON.parse(await readFile(processFile, "utf8")) as ProcessFile;
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
