import type { Clock } from "../../api/clock.ts";
import type { KubeObject } from "../../api/object.ts";
import type { GroupResource } from "../../api/resource.ts";
import type { Api, RequestContext } from "../../registry/api.ts";
import type { Store } from "../../store/store.ts";
import type { EventRecorder } from "./event-recorder.ts";

/** What a controller works with. Reads go to `store` (frozen objects, indexes), writes through `api` as `as`. */
export interface ControllerContext {
  store: Store;
  api: Api;
  clock: Clock;
  /** The controller's own identity, for example system:serviceaccount:kube-system:daemon-set-controller. */
  as: RequestContext;
  events: EventRecorder;
  /** Where unexpected errors of a reconcile go (the cluster's log). */
  log(message: string): void;
}

/** A running part of the control plane. `start` subscribes and queues what exists; `stop` cancels every timer. */
export interface Controller {
  readonly name: string;
  start(): void;
  stop(): void;
}

/** `namespace/name`, or `name` for cluster-scoped objects: the key of work queues. */
export function objectKey(object: KubeObject): string {
  return object.metadata.namespace ? `${object.metadata.namespace}/${object.metadata.name}` : object.metadata.name!;
}

export function splitKey(key: string): { namespace: string; name: string } {
  const slash = key.indexOf("/");
  return slash < 0 ? { namespace: "", name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** Subscribes to a resource and calls `handler` for every object that exists and for every later change. */
export function observe(
  store: Store,
  gr: GroupResource,
  handler: (object: KubeObject, previous: KubeObject | undefined, deleted: boolean) => void,
): () => void {
  for (const object of store.list(gr)) handler(object, undefined, false);
  return store.watch(gr, (e) => handler(e.object, e.previous, e.type === "DELETED"));
}
