import { setTimeout as delay } from "node:timers/promises";
import { isNotFound, type KubeClient } from "../client/index.ts";
import type { Say } from "../messages/translator.ts";
import { resourcePath } from "./resource-path.ts";
import { readStartState, taskLabel } from "./start-state.ts";
import type { Task } from "./task.ts";

interface Namespace {
  metadata: { uid: string; creationTimestamp: string; labels?: Record<string, string> };
}

/** Is there a namespace of the task's name that the task did not make? */
export async function namespaceOfOthers(client: KubeClient, task: Task, signal: AbortSignal): Promise<boolean> {
  const found = await findNamespace(client, task.spec.namespace, signal);
  return found !== undefined && found.metadata.labels?.[taskLabel] !== task.name;
}

/**
 * Deletes the task's namespace with all that is in it, the cluster-scoped objects of its start state, and those that the
 * learner made on the way; returns when they are gone. Touches only what carries the task's label, or is a leftover that
 * the task names and no older than its namespace.
 */
export async function removeObjects(
  client: KubeClient,
  task: Task,
  { say, signal }: { say: Say; signal: AbortSignal },
): Promise<void> {
  for (const { manifest } of await readStartState(task, say)) {
    const resource = await resourcePath(client, manifest, signal);
    if (resource === undefined || resource.namespaced || manifest.kind === "Node") continue;
    await remove(client, `${resource.base}/${resource.plural}/${manifest.metadata.name}`, signal);
  }
  const { namespace } = task.spec;
  const found = await findNamespace(client, namespace, signal);
  if (found === undefined || found.metadata.labels?.[taskLabel] !== task.name) return;
  await removeLeftovers(client, task, { since: found.metadata.creationTimestamp, signal });
  await remove(client, `/api/v1/namespaces/${namespace}`, signal);
  // Deleting a namespace is the namespace controller's work; asking now and then is all there is to do.
  for (let wait = 20; ; wait = Math.min(wait * 1.5, 500)) {
    const now = await findNamespace(client, namespace, signal);
    if (now === undefined || now.metadata.uid !== found.metadata.uid) return;
    await delay(wait, undefined, { signal });
  }
}

async function removeLeftovers(
  client: KubeClient,
  { spec: { leftovers = [] } }: Task,
  { since, signal }: { since: string; signal: AbortSignal },
): Promise<void> {
  for (const { apiVersion, kind, name } of leftovers) {
    const resource = await resourcePath(client, { apiVersion, kind }, signal);
    if (resource === undefined || resource.namespaced) continue;
    const path = `${resource.base}/${resource.plural}/${name}`;
    const found = await client.call<Namespace>({ path, signal }).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (found === undefined || Date.parse(found.metadata.creationTimestamp) < Date.parse(since)) continue;
    await remove(client, path, signal);
  }
}

async function findNamespace(client: KubeClient, name: string, signal: AbortSignal): Promise<Namespace | undefined> {
  try {
    return await client.call<Namespace>({ path: `/api/v1/namespaces/${name}`, signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function remove(client: KubeClient, path: string, signal: AbortSignal): Promise<void> {
  try {
    await client.call({ method: "DELETE", path, query: { propagationPolicy: "Background" }, signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
