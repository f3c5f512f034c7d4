import { readFile, realpath } from "node:fs/promises";
import { load } from "js-yaml";
import { PracticeError } from "../../messages/practice-error.ts";
import { withLock } from "../files/process-lock.ts";
import { clusterPaths, readJson, writeJson } from "../home.ts";
import { editKubeconfig, readKubeconfig } from "./edit.ts";
import { fileToWrite, kubeconfigFiles } from "./locate.ts";

/** What of a Cluster is needed to point kubectl at it. */
export interface KubectlCluster {
  kubeconfigPath: string;
  context: string;
}

export interface PointOptions {
  home: string;
  env: NodeJS.ProcessEnv;
  namespace: string;
  /** Write to this file and touch no other (`--kubeconfig FILE`). */
  file?: string;
}

/** Per file that we wrote to: our contexts in it, and what was current before the first of them. */
type Written = Record<string, { previous?: string; contexts: string[] }>;

interface OwnConfig {
  clusters?: { name: string; cluster: Record<string, unknown> }[];
  users?: { name: string; user: Record<string, unknown> }[];
  contexts?: { name: string; context: { cluster: string; user: string } }[];
}

/**
 * Merges the cluster's context into the learner's kubeconfig, sets its namespace and makes it current, as kind does.
 * `previous` is the context that was current before ours, which `restoreKubectl` goes back to.
 */
export async function pointKubectl(
  cluster: KubectlCluster,
  { home, env, namespace, file }: PointOptions,
): Promise<{ file: string; context: string; previous?: string }> {
  const target = file ?? fileToWrite(kubeconfigFiles(env));
  const own = await ownEntries(cluster);
  const name = cluster.context;
  let before: string | undefined;
  await editKubeconfig(target, (config) => {
    before = config.currentContext;
    const changes = [
      config.put("clusters", name, own.cluster),
      config.put("users", name, own.user),
      config.entry("contexts", name)?.["cluster"] !== name || config.entry("contexts", name)?.["user"] !== name
        ? config.put("contexts", name, { cluster: name, namespace, user: name })
        : config.setNamespace(name, namespace),
    ];
    if (before === name) return changes.includes(true);
    config.currentContext = name;
    return true;
  });
  const previous = await remember(home, target, name, before);
  return { file: target, context: name, ...(previous === undefined ? {} : { previous }) };
}

async function ownEntries({ kubeconfigPath, context }: KubectlCluster) {
  const config = load(await readFile(kubeconfigPath, "utf8")) as OwnConfig | undefined;
  const entry = config?.contexts?.find((candidate) => candidate.name === context)?.context;
  const cluster = config?.clusters?.find((candidate) => candidate.name === entry?.cluster)?.cluster;
  const user = config?.users?.find((candidate) => candidate.name === entry?.user)?.user;
  if (cluster === undefined || user === undefined) {
    throw new PracticeError("environment", "clusters.kubeconfig.ours", { file: kubeconfigPath, context });
  }
  return { cluster, user };
}

async function remember(home: string, file: string, context: string, before: string | undefined) {
  const paths = clusterPaths(home);
  const key = await realpath(file);
  const known = (await readJson<Written>(paths.previousContexts))?.[key];
  const isOurs = before === context || (before !== undefined && known?.contexts.includes(before));
  if (known?.contexts.includes(context) && isOurs) return known.previous;
  return withLock(paths.lock("kubeconfig"), async () => {
    const written = (await readJson<Written>(paths.previousContexts)) ?? {};
    const entry = written[key] ?? { contexts: [] };
    if (!isOurs) entry.previous = before;
    entry.contexts = [...new Set([...entry.contexts, context])];
    await writeJson(paths.previousContexts, { ...written, [key]: entry });
    return entry.previous;
  });
}

/**
 * Takes a cluster's context out of every kubeconfig it was merged into. Where it was the current one, the context from
 * before becomes current again if it is still there, else none. Resolves with the files changed; files that can't be
 * edited any more are in `failed`.
 */
export async function restoreKubectl(
  context: string,
  { home, env }: { home: string; env: NodeJS.ProcessEnv },
): Promise<{ changed: { file: string; current?: string }[]; failed: PracticeError[] }> {
  const paths = clusterPaths(home);
  return withLock(paths.lock("kubeconfig"), async () => {
    const written = (await readJson<Written>(paths.previousContexts)) ?? {};
    const changed: { file: string; current?: string }[] = [];
    const failed: PracticeError[] = [];
    for (const [file, entry] of Object.entries(written)) {
      if (!entry.contexts.includes(context)) continue;
      try {
        const current = await removeFrom(file, context, entry.previous, env);
        changed.push({ file, ...(current === undefined ? {} : { current }) });
        entry.contexts = entry.contexts.filter((name) => name !== context);
        if (entry.contexts.length === 0) delete written[file];
      } catch (error) {
        if (!(error instanceof PracticeError)) throw error;
        failed.push(error);
      }
    }
    await writeJson(paths.previousContexts, written);
    return { changed, failed };
  });
}

async function removeFrom(file: string, context: string, previous: string | undefined, env: NodeJS.ProcessEnv) {
  const elsewhere = await Promise.all(
    kubeconfigFiles(env).map((other) =>
      readKubeconfig(other).then(
        (config) => config.names("contexts"),
        () => [],
      ),
    ),
  );
  let current: string | undefined;
  await editKubeconfig(file, (config) => {
    const changes = [
      config.remove("contexts", context),
      config.remove("clusters", context),
      config.remove("users", context),
    ];
    current = config.currentContext;
    if (current !== context) return changes.includes(true);
    const stillThere = [...config.names("contexts"), ...elsewhere.flat()].includes(previous ?? "");
    current = stillThere ? previous : undefined;
    config.currentContext = current;
    return true;
  });
  return current;
}

/** Where the learner's kubectl goes when called without flags. */
export interface KubectlTarget {
  /** True when that is this cluster (the same server), whatever the context is called. */
  pointsHere: boolean;
  context?: string;
  namespace?: string;
  /** The file that names the current context. */
  file?: string;
  server?: string;
}

/** Reads the learner's kubeconfig files as kubectl merges them; starts no program and sends no request. */
export async function kubectlTarget(
  cluster: KubectlCluster,
  { env, file }: { env: NodeJS.ProcessEnv; file?: string },
): Promise<KubectlTarget> {
  const files = file === undefined ? kubeconfigFiles(env) : [file];
  const configs = await Promise.all(files.map((path) => readKubeconfig(path).catch(() => undefined)));
  const named = configs.find((config) => config?.currentContext !== undefined);
  const context = named?.currentContext;
  if (named === undefined || context === undefined) return { pointsHere: false };
  const entry = configs.map((config) => config?.entry("contexts", context)).find((found) => found !== undefined);
  const clusterName = String(entry?.["cluster"] ?? "");
  const server = configs.map((config) => config?.entry("clusters", clusterName)).find((found) => found !== undefined)?.[
    "server"
  ];
  const own = await ownEntries(cluster);
  return {
    pointsHere: server !== undefined && server === own.cluster["server"],
    context,
    file: named.file,
    ...(typeof entry?.["namespace"] === "string" ? { namespace: entry["namespace"] } : {}),
    ...(typeof server === "string" ? { server } : {}),
  };
}
