import { setTimeout as delay } from "node:timers/promises";
import { type KubeClient, watch } from "../client/index.ts";
import type { Read } from "./reader/cluster-reader.ts";

/** Changes come in bursts (a Pod is bound, started, ready): one look at the end of a burst is enough. */
const quietMilliseconds = 25;
/** The audit log is no collection and can't be watched: a check that reads only it is asked this often. */
const pollMilliseconds = 1000;

/** Returns when something in the collections changed after they were read, or at the deadline. */
export async function waitForChange(
  client: KubeClient,
  reads: readonly Read[],
  { deadline, signal }: { deadline: number; signal: AbortSignal },
): Promise<void> {
  const done = new AbortController();
  const stop = AbortSignal.any([signal, done.signal]);
  const limit = Math.max(0, Math.min(deadline - Date.now(), pollMilliseconds));
  const changed = reads.map((read) => firstEvent(client, read, stop));
  try {
    const first = await Promise.race([
      ...changed,
      delay(limit, "quiet" as const, { signal: stop }).catch(() => "quiet" as const),
    ]);
    if (first === "changed")
      await delay(Math.min(quietMilliseconds, Math.max(0, deadline - Date.now())), undefined, { signal });
  } finally {
    done.abort();
    await Promise.allSettled(changed);
  }
  signal.throwIfAborted();
}

async function firstEvent(client: KubeClient, read: Read, signal: AbortSignal): Promise<"changed"> {
  try {
    for await (const event of watch(client, { ...read, signal })) if (event.type !== "BOOKMARK") return "changed";
  } catch {
    // The version is too old, or the connection broke: reading again finds out what is new, after a breath.
    await delay(200, undefined, { signal }).catch(() => undefined);
    return "changed";
  }
  // The stream ended quietly: let the others or the limit decide.
  return new Promise((resolve) => {
    if (signal.aborted) resolve("changed");
    else signal.addEventListener("abort", () => resolve("changed"), { once: true });
  });
}
