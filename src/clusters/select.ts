import type { Message } from "../messages/catalogue.ts";
import { PracticeError } from "../messages/practice-error.ts";
import type { ClusterProvider } from "./provider.ts";

export interface SelectOptions {
  /** `auto`, `kind`, `embedded` or `context:NAME`. */
  wanted: string;
  /** The runner's home folder, absolute. */
  home: string;
  env: NodeJS.ProcessEnv;
  /** The task it is for: `auto` stays with what it chose for a task. */
  task?: string;
}

export interface ClusterSelection {
  provider: ClusterProvider;
  /** Why `auto` chose this one; absent when the learner chose. */
  why?: Message;
}

/** The provider asked for. Throws PracticeError `clusters.unknown` (usage) for any other word. */
export async function selectCluster({ wanted, home }: SelectOptions): Promise<ClusterSelection> {
  if (wanted === "embedded" || wanted === "auto") {
    const { embeddedProvider } = await import("./embedded/provider.ts");
    return { provider: embeddedProvider({ home }) };
  }
  throw new PracticeError("usage", "clusters.unknown", { wanted });
}
