import { rm, stat } from "node:fs/promises";
import { message } from "../../messages/catalogue.ts";
import { PracticeError } from "../../messages/practice-error.ts";
import { type ApiResponse, type Endpoint, readEndpoint, requestApi } from "../api-request.ts";
import { localLogFiles } from "../audit/log-files.ts";
import { logTrace } from "../audit/log-trace.ts";
import { isAlive, withLock } from "../files/process-lock.ts";
import { clusterPaths, readJson, writeJson } from "../home.ts";
import type { Cluster, ClusterProvider, ClusterShape, Progress } from "../provider.ts";
import { type EmbeddedNode, nodesOf } from "./nodes.ts";
import { endProcess, isEmbeddedProcess } from "./running-process.ts";
import { embeddedEntry, portIfFree, startProcess } from "./start.ts";

export const EMBEDDED_CONTEXT = "k8s-practice-embedded";
const NODE_PREFIX = "k8s-practice";

/** What the process writes about itself (src/embedded/process/README.md). */
interface ProcessFile {
  pid: number;
  port: number;
  url: string;
  recovered?: string[];
}

/** What the runner writes about the process it started. */
interface StartedFile {
  /** The bundle that was started: path, size, time of change. */
  build: string;
  nodes: string[];
}

interface Running {
  process: ProcessFile;
  endpoint: Endpoint;
  version: string;
  started: StartedFile | undefined;
}

export interface EmbeddedOptions {
  home: string;
  /** The process's program; default the build's `dist/embedded.js`. */
  entry?: string;
}

/** The cluster that needs nothing but Node: one background process, found through its file under the home folder. */
export function embeddedProvider({ home, entry = embeddedEntry() }: EmbeddedOptions): ClusterProvider {
  const paths = clusterPaths(home);
  const files = paths.embedded;
  const lock = paths.lock("embedded");

  /** One look at the files and one request; undefined when nothing of ours answers. */
  async function look(timeoutMs = 2_000): Promise<Running | undefined> {
    const [process, endpoint, started] = await Promise.all([
      readJson<ProcessFile>(files.process),
      readEndpoint(files.kubeconfig, EMBEDDED_CONTEXT).catch(() => undefined),
      readJson<StartedFile>(files.started),
    ]);
    if (process === undefined || endpoint === undefined || !isAlive(process.pid)) return undefined;
    const answer = await requestApi(endpoint, "GET", "/version", { timeoutMs }).catch(() => undefined);
    const version = (answer?.body as { gitVersion?: string } | undefined)?.gitVersion;
    if (answer?.status !== 200 || version === undefined) return undefined;
    return { process, endpoint, version, started };
  }

  async function isReady(pid: number): Promise<boolean> {
    const process = await readJson<ProcessFile>(files.process);
    if (process?.pid !== pid) return false;
    const endpoint = await readEndpoint(files.kubeconfig, EMBEDDED_CONTEXT).catch(() => undefined);
    if (endpoint === undefined) return false;
    const answer = await requestApi(endpoint, "GET", "/readyz", { timeoutMs: 2_000 }).catch(() => undefined);
    return answer?.status === 200;
  }

  async function start(nodes: EmbeddedNode[], build: string, signal: AbortSignal | undefined): Promise<Running> {
    const before = await readJson<ProcessFile>(files.process);
    if (before !== undefined) await endProcess(before.pid, files.data);
    await writeJson(files.started, { build, nodes: nodes.map((node) => node.name) } satisfies StartedFile);
    const options = { entry, dataDir: files.data, nodes, log: files.log, ready: isReady, signal };
    await startProcess({ ...options, port: await portIfFree(before?.port) });
    const running = await look();
    if (running === undefined) throw new PracticeError("environment", "clusters.embedded.lost", { log: files.log });
    return running;
  }

  async function addMissing(running: Running, nodes: EmbeddedNode[], build: string): Promise<void> {
    const present = new Set(running.started?.nodes ?? []);
    const missing = nodes.filter((node) => !present.has(node.name));
    if (missing.length === 0) return;
    for (const node of missing) await nodeAction(running.endpoint, node.name, "add", node, [409]);
    await writeJson(files.started, { build, nodes: [...present, ...missing.map((node) => node.name)] });
  }

  async function up(
    shape: ClusterShape,
    progress: Progress,
    options: { recreate?: boolean; signal?: AbortSignal } = {},
  ): Promise<Cluster> {
    const nodes = nodesOf(shape, NODE_PREFIX);
    const build = await buildOf(entry);
    const fits = (candidate: Running | undefined): candidate is Running =>
      candidate?.started?.build === build && nodes.every((node) => candidate.started?.nodes.includes(node.name));
    if (options.recreate) await down();
    const quick = await look();
    if (fits(quick)) return clusterOf(quick);
    const onWait = () => progress.phase(message("clusters.waiting"));
    return withLock(
      lock,
      async () => {
        let running = await look();
        if (running === undefined || running.started?.build !== build) {
          const key = (await isThere(files.data)) ? "clusters.embedded.reviving" : "clusters.embedded.starting";
          progress.phase(message(key));
          const known = running?.started ?? (await readJson<StartedFile>(files.started));
          running = await start(nodes, build, options.signal);
          for (const finding of running.process.recovered ?? []) {
            progress.phase(message("clusters.embedded.recovered", { finding }));
          }
          // A restored cluster keeps the nodes it had.
          if (known !== undefined) running.started = { build, nodes: known.nodes };
        }
        await addMissing(running, nodes, build);
        return clusterOf(running);
      },
      { signal: options.signal, onWait },
    );
  }

  function clusterOf({ endpoint, version }: Running): Cluster {
    return {
      id: "embedded",
      kubeconfigPath: files.kubeconfig,
      context: EMBEDDED_CONTEXT,
      trace: logTrace(localLogFiles(files.audit)),
      capabilities: new Set(["trace", "nodes.stop", "nodes.add"]),
      owned: true,
      version,
      stopNode: (name) => nodeAction(endpoint, name, "stop"),
      startNode: (name) => nodeAction(endpoint, name, "start"),
      addNode: (name, labels) => nodeAction(endpoint, name, "add", { name, controlPlane: false, labels }),
      removeNode: (name) => nodeAction(endpoint, name, "remove"),
    };
  }

  async function down(): Promise<boolean> {
    return withLock(lock, async () => {
      const process = await readJson<ProcessFile>(files.process);
      if (process !== undefined && (await isEmbeddedProcess(process.pid, files.data))) {
        await endProcess(process.pid, files.data);
      }
      const existed = await isThere(files.data);
      await rm(files.root, { recursive: true, force: true });
      return existed;
    });
  }

  return {
    kind: "embedded",
    async detect() {
      if (!(await isThere(entry))) return { usable: false, reason: message("clusters.embedded.unbuilt", { entry }) };
      return { usable: true, detail: message("clusters.embedded.detail") };
    },
    up,
    async find() {
      const running = await look();
      return running === undefined ? undefined : clusterOf(running);
    },
    down,
  };
}

async function nodeAction(
  endpoint: Endpoint,
  name: string,
  action: "add" | "stop" | "start" | "remove",
  body?: unknown,
  alsoFine: number[] = [],
): Promise<void> {
  const path = `/k8s-practice/nodes/${encodeURIComponent(name)}/${action}`;
  const answer = await requestApi(endpoint, "POST", path, { body });
  if (answer.status < 300 || alsoFine.includes(answer.status)) return;
  throw new PracticeError("usage", "clusters.node.refused", { name, action, reason: reasonOf(answer) });
}

function reasonOf({ status, body }: ApiResponse): string {
  const text = (body as { message?: unknown } | undefined)?.message;
  return typeof text === "string" ? text : `HTTP ${status}`;
}

/** Identifies a build without reading it; a new one means the running process is to be replaced. */
async function buildOf(entry: string): Promise<string> {
  const info = await stat(entry).catch(() => undefined);
  if (info === undefined) throw new PracticeError("environment", "clusters.embedded.unbuilt", { entry });
  return `${entry} ${info.size} ${Math.trunc(info.mtimeMs)}`;
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
