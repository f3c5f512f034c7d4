import { PracticeError } from "../../messages/practice-error.ts";
import { withLock } from "../files/process-lock.ts";
import { clusterPaths, readJson, writeJson } from "../home.ts";

/** What the learner agrees to: that a task works on a cluster that is not ours. */
export interface ConsentRequest {
  context: string;
  /** Part of the agreement: a context that points to another server is another cluster. */
  server: string;
  task: string;
  namespace: string;
  /** True when the task changes nodes, which needs a consent of its own. */
  changesNodes: boolean;
}

export interface ConsentAnswer {
  /** `--yes`. */
  yes: boolean;
  /** `--allow-nodes`. */
  allowNodes: boolean;
}

/** By `CONTEXT SERVER`, then by task. */
type Consents = Record<string, Record<string, { at: string; nodes: boolean }>>;

/**
 * Resolves when the learner has agreed, now or before; what is agreed to now is remembered. Sends nothing to the cluster.
 * Throws PracticeError `clusters.context.consent` or `clusters.context.nodes` (usage), which say what would be done.
 */
export async function requireConsent(home: string, request: ConsentRequest, answer: ConsentAnswer): Promise<void> {
  const paths = clusterPaths(home);
  const key = `${request.context} ${request.server}`;
  const before = (await readJson<Consents>(paths.consents))?.[key]?.[request.task];
  const { context, server, namespace, task } = request;
  if (before === undefined && !answer.yes) {
    throw new PracticeError("usage", "clusters.context.consent", { context, server, namespace, task });
  }
  if (request.changesNodes && before?.nodes !== true && !answer.allowNodes) {
    throw new PracticeError("usage", "clusters.context.nodes", { context, task });
  }
  const nodes = before?.nodes === true || answer.allowNodes;
  if (before !== undefined && before.nodes === nodes) return;
  await withLock(paths.lock("consents"), async () => {
    const all = (await readJson<Consents>(paths.consents)) ?? {};
    all[key] = { ...all[key], [task]: { at: new Date().toISOString(), nodes } };
    await writeJson(paths.consents, all);
  });
}

/** Takes back every consent for a context. True when there was one. */
export async function forgetConsents(home: string, context: string): Promise<boolean> {
  const paths = clusterPaths(home);
  return withLock(paths.lock("consents"), async () => {
    const all = (await readJson<Consents>(paths.consents)) ?? {};
    const kept = Object.fromEntries(Object.entries(all).filter(([key]) => !key.startsWith(`${context} `)));
    if (Object.keys(kept).length === Object.keys(all).length) return false;
    await writeJson(paths.consents, kept);
    return true;
  });
}

/** True when some task may work on the context. */
export async function hasConsent(home: string, context: string, server: string): Promise<boolean> {
  const all = await readJson<Consents>(clusterPaths(home).consents);
  return all?.[`${context} ${server}`] !== undefined;
}
