import { type Message, message } from "../messages/catalogue.ts";
import { PracticeError } from "../messages/practice-error.ts";
import type { ContextUse } from "./context/provider.ts";
import { withLock } from "./files/process-lock.ts";
import { clusterPaths, readJson, writeJson } from "./home.ts";
import type { ClusterProvider } from "./provider.ts";

export interface SelectOptions {
  /** `auto`, `kind`, `embedded` or `context:NAME`. */
  wanted: string;
  /** The runner's home folder, absolute. */
  home: string;
  env: NodeJS.ProcessEnv;
  /** The task it is for: `auto` stays with what it chose for a task. */
  task?: string;
  /** For `context:NAME`: what is about to be done there, and what the learner agreed to. */
  use?: ContextUse;
}

export interface ClusterSelection {
  provider: ClusterProvider;
  /** Why `auto` chose this one; absent when the learner chose. */
  why?: Message;
}

type Choices = Record<string, "kind" | "embedded">;

/**
 * The provider asked for, loaded only then. `auto` takes kind when it is installed and a container engine answers, else
 * the embedded cluster; what it took for a task it takes for that task again.
 * Throws PracticeError `clusters.unknown` (usage) for any other word.
 */
export async function selectCluster(options: SelectOptions): Promise<ClusterSelection> {
  const { wanted, home, env, use } = options;
  if (wanted === "auto") return chooseCluster(options);
  if (wanted === "embedded") {
    const { embeddedProvider } = await import("./embedded/provider.ts");
    return { provider: embeddedProvider({ home }) };
  }
  if (wanted === "kind") {
    const { kindProvider } = await import("./kind/provider.ts");
    return { provider: kindProvider({ home, env }) };
  }
  const name = /^context:(.+)$/.exec(wanted)?.[1];
  if (name === undefined) throw new PracticeError("usage", "clusters.unknown", { wanted });
  const { contextProvider } = await import("./context/provider.ts");
  return { provider: contextProvider({ name, home, env, use }) };
}

async function chooseCluster(options: SelectOptions): Promise<ClusterSelection> {
  const { home, env, task } = options;
  const file = clusterPaths(home).choices;
  const before = task === undefined ? undefined : (await readJson<Choices>(file))?.[task];
  if (before === "embedded" || before === "kind") {
    const { provider } = await selectCluster({ ...options, wanted: before });
    return { provider, why: message("clusters.auto.remembered", { kind: before }) };
  }
  const { kindProvider } = await import("./kind/provider.ts");
  const kind = kindProvider({ home, env });
  const availability = await kind.detect();
  const chosen = availability.usable ? "kind" : "embedded";
  if (task !== undefined) {
    await withLock(clusterPaths(home).lock("choices"), async () =>
      writeJson(file, { ...(await readJson<Choices>(file)), [task]: chosen }),
    );
  }
  if (availability.usable) return { provider: kind, why: message("clusters.auto.kind", availability.detail.values) };
  const { provider } = await selectCluster({ ...options, wanted: "embedded" });
  // The catalogue's sentences can't be nested: one sentence for each reason.
  const reasons: Record<string, string> = { "clusters.kind.missing": "kind", "clusters.kind.too-old": "newer" };
  const missing = reasons[availability.reason.key] ?? "engine";
  return { provider, why: message("clusters.auto.embedded", { missing }) };
}
