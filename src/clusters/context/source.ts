import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { dump, load } from "js-yaml";
import { PracticeError } from "../../messages/practice-error.ts";
import { kubeconfigFiles } from "../kubeconfig/locate.ts";

type Fields = Record<string, unknown>;
interface Config {
  clusters?: { name: string; cluster: Fields }[] | null;
  users?: { name: string; user: Fields }[] | null;
  contexts?: { name: string; context: { cluster: string; user: string; namespace?: string } }[] | null;
}

/** A context of the learner's kubeconfig with what it names. */
export interface SourceContext {
  server: string;
  namespace: string | undefined;
  cluster: Fields;
  user: Fields;
}

const PATH_FIELDS = ["certificate-authority", "client-certificate", "client-key", "tokenFile"];

/**
 * Finds a context in the learner's kubeconfig files as kubectl merges them. Paths in it become absolute. Sends nothing.
 * Throws PracticeError `clusters.context.unknown` (usage) with the names there are.
 */
export async function sourceContext(name: string, env: NodeJS.ProcessEnv): Promise<SourceContext> {
  const configs = (await Promise.all(kubeconfigFiles(env).map(readConfig))).filter((config) => config !== undefined);
  const first = <T extends { name: string }>(lists: (T[] | null | undefined)[], wanted: string): T | undefined =>
    lists.flatMap((list) => list ?? []).find((entry) => entry.name === wanted);
  const context = first(
    configs.map(({ config }) => config.contexts),
    name,
  )?.context;
  if (context === undefined) {
    const names = configs.flatMap(({ config }) => (config.contexts ?? []).map((entry) => entry.name));
    throw new PracticeError("usage", "clusters.context.unknown", { name, names: [...new Set(names)].join(", ") });
  }
  const entry = <K extends "cluster" | "user">(kind: K, wanted: string): Fields => {
    for (const { config, folder } of configs) {
      const list = (config[`${kind}s`] ?? []) as ({ name: string } & Record<K, Fields>)[];
      const found = list.find((candidate) => candidate.name === wanted);
      if (found !== undefined) return withAbsolutePaths(found[kind] ?? {}, folder);
    }
    throw new PracticeError("environment", "clusters.context.incomplete", { name, kind, missing: wanted });
  };
  const cluster = entry("cluster", context.cluster);
  return {
    server: String(cluster["server"] ?? ""),
    namespace: context.namespace,
    cluster,
    user: entry("user", context.user),
  };
}

async function readConfig(file: string): Promise<{ config: Config; folder: string } | undefined> {
  try {
    return { config: (load(await readFile(file, "utf8")) ?? {}) as Config, folder: dirname(file) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    const reason = (error as Error).message.split("\n", 1)[0]!;
    throw new PracticeError("environment", "clusters.kubeconfig.unreadable", { file, reason }, { cause: error });
  }
}

function withAbsolutePaths(fields: Fields, folder: string): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) =>
      PATH_FIELDS.includes(key) && typeof value === "string" ? [key, resolve(folder, value)] : [key, value],
    ),
  );
}

/** A kubeconfig with that context alone, under a name of ours. */
export function ownKubeconfig(source: SourceContext, name: string): string {
  return dump(
    {
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name, cluster: source.cluster }],
      users: [{ name, user: source.user }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      "current-context": name,
    },
    { lineWidth: -1 },
  );
}
