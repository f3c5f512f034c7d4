import type { V1Pod } from "@kubernetes/client-node";
import { apiError } from "../api/api-error.ts";
import type { KubeObject, Wire } from "../api/object.ts";
import type { Store } from "../store/store.ts";
import type { RequestInfo } from "./request-info.ts";

/** What a container has written; undefined when its machine is off or knows no such container. */
export type ReadLog = (
  pod: KubeObject,
  container: string,
  previous: boolean,
) => { at: number; text: string }[] | undefined;

/** `GET …/pods/NAME/log`: the container's lines, cut as asked. */
export function podLog(
  { namespace = "", name = "" }: RequestInfo,
  query: URLSearchParams,
  { store, readLog }: { store: Store; readLog: ReadLog },
): string {
  const object = store.get({ group: "", resource: "pods" }, namespace, name);
  if (object === undefined) throw apiError.notFound({ group: "", resource: "pods" }, name);
  const pod = object as unknown as Wire<V1Pod>;
  const names = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])].map(
    (container) => container.name,
  );
  const container = query.get("container") ?? names[0] ?? "";
  if (query.get("container") === null && (pod.spec?.containers.length ?? 0) > 1) {
    throw apiError.badRequest(
      `a container name must be specified for pod ${name}, choose one of: [${names.join(" ")}]`,
    );
  }
  if (!names.includes(container)) throw apiError.badRequest(`container ${container} is not valid for pod ${name}`);
  let lines = readLog(object, container, query.get("previous") === "true") ?? [];
  const since = Number(query.get("sinceSeconds") ?? 0);
  if (since > 0) lines = lines.filter(({ at }) => at >= Date.now() - since * 1000);
  const tail = query.get("tailLines");
  if (tail !== null) lines = Number(tail) === 0 ? [] : lines.slice(-Number(tail));
  const stamp = query.get("timestamps") === "true";
  return lines.map(({ at, text }) => `${stamp ? `${new Date(at).toISOString()} ` : ""}${text}\n`).join("");
}
