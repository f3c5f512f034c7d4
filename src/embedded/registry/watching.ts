import { apiError } from "../api/api-error.ts";
import { type FieldError, fieldError } from "../api/field-error.ts";
import type { KubeObject } from "../api/object.ts";
import type { StoreEvent } from "../store/store.ts";
import type { Target, WatchEvent, WatchOptions } from "./api.ts";
import { fromStorage } from "./conversion.ts";
import type { RegistryCore } from "./core.ts";
import type { ResourceDefinition } from "./resource-catalogue.ts";
import { readResourceVersion, readSelection } from "./selection.ts";

/**
 * Watches a resource (https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes):
 * from a version on, or from the present state, which then comes first as ADDED events; with sendInitialEvents a
 * bookmark says where it ends.
 */
export function watchResource(
  core: RegistryCore,
  definition: ResourceDefinition,
  target: Target,
  options: WatchOptions,
  listener: (event: WatchEvent) => void,
): () => void {
  checkOptions(options);
  const selection = readSelection(definition, options);
  const namespace = definition.info.namespaced && target.namespace ? target.namespace : undefined;
  const isWatched = (object: KubeObject) =>
    (namespace === undefined || object.metadata.namespace === namespace) &&
    selection.matches(fromStorage(definition, object));
  const since = readResourceVersion(options.resourceVersion);
  const onEvent = (event: StoreEvent) => {
    // Who asks for what comes after a version yet to come is told of nothing before.
    if (since !== undefined && !options.sendInitialEvents && event.revision <= since) return;
    const change = seenBy(event, isWatched);
    if (change !== undefined) {
      listener({ type: change, object: versioned(definition, event, change), revision: event.revision });
    }
  };
  if (since !== undefined && options.sendInitialEvents !== true) {
    return core.store.watch(definition.storage, onEvent, Math.min(since, core.store.revision));
  }
  if (options.sendInitialEvents === false) return core.store.watch(definition.storage, onEvent);
  const revision = core.store.revision;
  const stop = core.store.watch(definition.storage, onEvent);
  for (const object of core.store.list(definition.storage, namespace)) {
    if (isWatched(object)) listener({ type: "ADDED", object: fromStorage(definition, object), revision });
  }
  if (options.sendInitialEvents && options.allowWatchBookmarks) {
    listener({ type: "BOOKMARK", revision, initialEventsEnd: true });
  }
  return stop;
}

/** What a change is for who sees only some objects: one that comes to match is new, one that ceases to is gone. */
function seenBy(
  event: StoreEvent,
  isWatched: (object: KubeObject) => boolean,
): "ADDED" | "MODIFIED" | "DELETED" | undefined {
  const before = event.previous !== undefined && isWatched(event.previous);
  if (event.type === "DELETED") return before ? "DELETED" : undefined;
  const after = isWatched(event.object);
  if (after) return before ? "MODIFIED" : "ADDED";
  return before ? "DELETED" : undefined;
}

/** An object that has ceased to match is shown as it last did, at the version of the change. */
function versioned(definition: ResourceDefinition, event: StoreEvent, change: string): KubeObject {
  if (change !== "DELETED" || event.previous === undefined) return fromStorage(definition, event.object);
  const last = fromStorage(definition, event.previous);
  return { ...last, metadata: { ...last.metadata, resourceVersion: String(event.revision) } };
}

function checkOptions({ sendInitialEvents, resourceVersionMatch: match }: WatchOptions): void {
  const field = "resourceVersionMatch";
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined && match === undefined) {
    errors.push(fieldError.forbidden(field, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
  }
  if (sendInitialEvents === undefined && match !== undefined) {
    errors.push(
      fieldError.forbidden(field, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"),
    );
  }
  if (match !== undefined && match !== "NotOlderThan") {
    errors.push(fieldError.notSupported(field, match, ["NotOlderThan"]));
  }
  if (errors.length > 0) throw apiError.invalid({ group: "meta.k8s.io", kind: "ListOptions" }, "", errors);
}
