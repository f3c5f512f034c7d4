import type { Call, KubeClient } from "./client.ts";
import { readAnswer } from "./client.ts";

export interface WatchEvent<T = unknown> {
  type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  object: T;
}

/**
 * The events of a collection after `resourceVersion`, until the server ends the stream or `signal` aborts (then it
 * ends too, without an error).
 *
 * @throws StatusError when the server refuses (410 Gone: the version is too old, list again)
 */
export async function* watch<T>(
  client: KubeClient,
  call: Pick<Call, "path" | "query"> & { resourceVersion: string; signal: AbortSignal },
): AsyncGenerator<WatchEvent<T>> {
  try {
    const answer = await client.open({
      path: call.path,
      query: { ...call.query, watch: "true", resourceVersion: call.resourceVersion },
      signal: call.signal,
    });
    if ((answer.statusCode ?? 0) >= 400) {
      let text = "";
      for await (const chunk of answer) text += chunk;
      readAnswer(answer, text);
    }
    let rest = "";
    answer.setEncoding("utf8");
    for await (const chunk of answer) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line !== "") yield JSON.parse(line) as WatchEvent<T>;
    }
  } catch (error) {
    if (!call.signal.aborted) throw error;
  }
}
