import type { IncomingMessage, ServerResponse } from "node:http";
import { apiError } from "../api/api-error.ts";
import type { Cancel, Clock } from "../api/clock.ts";
import type { KubeObject } from "../api/object.ts";
import { apiVersion, type Column, type ResourceInfo } from "../api/resource.ts";
import type {
  Api,
  DeleteOptions,
  ListOptions,
  PatchType,
  RequestContext,
  Target,
  WatchEvent,
} from "../registry/api.ts";
import type { KindStrategy } from "../registry/strategy.ts";
import type { Store } from "../store/store.ts";
import { send, setWarnings } from "./answer.ts";
import type { ServerLimits } from "./limits.ts";
import { type Accepted, negotiate } from "./negotiation.ts";
import { mediaType } from "./request-body.ts";
import { isTrue, type RequestInfo } from "./request-info.ts";
import { type IncludeObject, tableOf } from "./table.ts";
import { WatchStream } from "./watch-stream.ts";

export interface ResourceServices {
  api: Api;
  store: Store;
  clock: Clock;
  /** How a resource's rows look. */
  definitionOf(info: ResourceInfo): { columns: readonly Column[]; strategy: KindStrategy | undefined };
  limits: ServerLimits;
  /** Answers a create that stores nothing (reviews, tokens); undefined for every other. */
  createVirtual(target: Target, body: unknown, context: RequestContext): KubeObject | undefined;
}

/** One request about a resource, decoded. */
export interface ResourceRequest {
  request: IncomingMessage;
  response: ServerResponse;
  path: RequestInfo;
  query: URLSearchParams;
  verb: string;
  /** The parsed body. */
  body: unknown;
  context: RequestContext;
}

const patchTypes: readonly string[] = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];

/** Serves a resource's collection, its objects and their subresources, as far as they are data. */
export async function handleResource(call: ResourceRequest, services: ResourceServices): Promise<void> {
  const { request, response, path, query, verb, body, context } = call;
  const { api, store } = services;
  const { info, namespace, name, subresource } = path;
  assertVerb(path, verb);
  const target: Target = {
    group: info.group,
    resource: info.resource,
    version: info.version,
    namespace,
    name,
    subresource,
  };
  const accepted = negotiate(request.headers.accept, canShow);
  if (accepted === undefined) {
    throw apiError.notAcceptable("only the following media types are accepted: application/json, application/yaml");
  }
  const answer = async (code: number, object: unknown) => {
    await store.durable(store.revision);
    setWarnings(response, context.warnings ?? []);
    send(response, code, present(object, call, services, accepted), accepted);
  };

  switch (verb) {
    case "get":
      return answer(200, api.get(target, context));
    case "list": {
      const { items, metadata } = api.list(target, listOptions(query), context);
      return answer(200, { kind: `${info.kind}List`, apiVersion: apiVersion(info), metadata, items });
    }
    case "watch":
      return watch(call, target, services, accepted);
    case "create":
      return answer(201, services.createVirtual(target, body, context) ?? api.create(target, body, context));
    case "update": {
      const { object, created } = api.update(target, body, context);
      return answer(created ? 201 : 200, object);
    }
    case "patch": {
      const type = mediaType(request.headers["content-type"]);
      if (!patchTypes.includes(type)) {
        throw apiError.unsupportedMediaType(
          `the body of the request was in an unknown format - accepted media types include: ${patchTypes.join(", ")}`,
        );
      }
      const { object, created } = api.patch(target, type as PatchType, body, context);
      return answer(created ? 201 : 200, object);
    }
    case "delete": {
      const { object, deleted } = api.delete(target, deleteOptions(query, body), context);
      return answer(200, deleted ? deletedStatus(info, object) : object);
    }
    case "deletecollection": {
      const { items } = api.deleteCollection(target, listOptions(query), deleteOptions(query, body), context);
      const metadata = { resourceVersion: String(store.revision) };
      return answer(200, { kind: `${info.kind}List`, apiVersion: apiVersion(info), metadata, items });
    }
    default:
      throw apiError.methodNotSupported(info, verb);
  }
}

function assertVerb({ info, subresource, name }: RequestInfo, verb: string): void {
  if (subresource === undefined) {
    if (!info.verbs.includes(verb)) throw apiError.methodNotSupported(info, verb);
    const wrong = name === undefined ? ["update", "patch"] : ["create"];
    if (wrong.includes(verb)) throw apiError.methodNotSupported(info, verb);
    return;
  }
  const served = info.subresources?.find((candidate) => candidate.name === subresource);
  if (served === undefined) throw apiError.noSuchPath();
  if (!served.verbs.includes(verb)) throw apiError.methodNotSupported(info, verb);
}

function canShow({ as, group, version }: Accepted): boolean {
  if (group !== "meta.k8s.io") return false;
  return (
    (version === "v1" || version === "v1beta1") &&
    ["Table", "PartialObjectMetadata", "PartialObjectMetadataList"].includes(as!)
  );
}

export function listOptions(query: URLSearchParams): ListOptions {
  const text = (name: string) => query.get(name) || undefined;
  const limit = Number(query.get("limit") ?? 0);
  return {
    labelSelector: text("labelSelector"),
    fieldSelector: text("fieldSelector"),
    ...(limit > 0 ? { limit } : {}),
    continue: text("continue"),
    resourceVersion: text("resourceVersion"),
    resourceVersionMatch: text("resourceVersionMatch") as ListOptions["resourceVersionMatch"],
  };
}

function deleteOptions(query: URLSearchParams, body: unknown): DeleteOptions {
  const given = (body ?? {}) as DeleteOptions & { orphanDependents?: boolean };
  const grace = query.get("gracePeriodSeconds");
  const policy = query.get("propagationPolicy") as DeleteOptions["propagationPolicy"] | null;
  const old = given.orphanDependents === undefined ? undefined : given.orphanDependents ? "Orphan" : "Background";
  const seconds = given.gracePeriodSeconds ?? (grace === null ? undefined : Number(grace));
  return {
    // Kubernetes takes a period below zero for one second (rest.BeforeDelete).
    gracePeriodSeconds: seconds !== undefined && seconds < 0 ? 1 : seconds,
    propagationPolicy: given.propagationPolicy ?? policy ?? (old as DeleteOptions["propagationPolicy"]),
    preconditions: given.preconditions,
  };
}

function deletedStatus(info: ResourceInfo, object: KubeObject) {
  const { name, uid } = object.metadata;
  const group = info.group === "" ? {} : { group: info.group };
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name, ...group, kind: info.resource, uid },
  };
}

type List = { kind: string; apiVersion: string; metadata: object; items: readonly KubeObject[] };

/** The answer in the form the client accepts: as it is, as a Table, or as metadata only. */
function present(answer: unknown, call: ResourceRequest, services: ResourceServices, accepted: Accepted): unknown {
  const { info } = call.path;
  const isList = Array.isArray((answer as Partial<List>).items) && (answer as List).kind === `${info.kind}List`;
  const isObject = (answer as Partial<KubeObject>).kind === info.kind;
  if (accepted.as === undefined || !(isList || isObject)) {
    return isList ? { ...(answer as List), items: (answer as List).items.map(withoutKind) } : answer;
  }
  const objects = isList ? (answer as List).items : [answer as KubeObject];
  const metadata = isList
    ? (answer as List).metadata
    : { resourceVersion: (answer as KubeObject).metadata.resourceVersion };
  if (accepted.as === "Table") return table(objects, call, services, metadata);
  const items = objects.map(partial);
  if (!isList) return items[0];
  return { kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1", metadata, items };
}

/** Items of a typed list carry neither kind nor apiVersion. */
function withoutKind({ kind, apiVersion: version, ...rest }: KubeObject): object {
  return rest;
}

function partial(object: KubeObject): object {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata };
}

function table(
  objects: readonly KubeObject[],
  { path, query }: ResourceRequest,
  { definitionOf, clock }: ResourceServices,
  metadata: object,
  headers = true,
) {
  const include = (query.get("includeObject") ?? "Metadata") as IncludeObject;
  return tableOf(objects, definitionOf(path.info), { now: clock.now(), include, metadata, headers });
}

/** Streams until the client goes, or `timeoutSeconds` are over. */
async function watch(
  call: ResourceRequest,
  target: Target,
  services: ResourceServices,
  accepted: Accepted,
): Promise<void> {
  const { query, response, context, path } = call;
  const { api, store, clock } = services;
  const stream = new WatchStream(response, (revision) => store.durable(revision), services.limits.maxUnread);
  let first = true;
  const show = (object: KubeObject) => {
    if (accepted.as === undefined) return object;
    if (accepted.as !== "Table") return partial(object);
    const shown = table([object], call, services, { resourceVersion: object.metadata.resourceVersion }, first);
    first = false;
    return shown;
  };
  const { limit, continue: _, ...selection } = listOptions(query);
  const options = {
    ...selection,
    // Absent is not false: it asks for the old way of beginning a watch.
    sendInitialEvents: query.has("sendInitialEvents") ? isTrue(query.get("sendInitialEvents")) : undefined,
    allowWatchBookmarks: isTrue(query.get("allowWatchBookmarks")),
  };
  const listener = (event: WatchEvent) => {
    stream.open();
    if (event.type !== "BOOKMARK") stream.send(event.revision, { type: event.type, object: show(event.object) });
    else stream.send(event.revision, { type: "BOOKMARK", object: bookmark(path.info, event, accepted) });
  };
  const stop = api.watch(target, options, listener, context);
  stream.open();
  const bookmarks = options.allowWatchBookmarks === true ? sendBookmarks(() => listener(now(store)), clock) : () => {};
  const seconds = Math.min(Number(query.get("timeoutSeconds") ?? 0) || 3600, 86_400);
  const timeout = clock.after(seconds * 1000, () => stream.end());
  await new Promise<void>((resolve) => response.once("close", resolve));
  timeout();
  bookmarks();
  stop();
}

/** A watch that asked for them gets a bookmark soon after it begins, and one a minute, so that it need not list again. */
function sendBookmarks(send: () => void, clock: Clock): Cancel {
  let cancel = clock.after(300, function again() {
    send();
    cancel = clock.after(60_000, again);
  });
  return () => cancel();
}

function now(store: Store): WatchEvent {
  return { type: "BOOKMARK", revision: store.revision, initialEventsEnd: false };
}

function bookmark(info: ResourceInfo, event: { revision: number; initialEventsEnd: boolean }, accepted: Accepted) {
  const annotations = event.initialEventsEnd ? { annotations: { "k8s.io/initial-events-end": "true" } } : {};
  const metadata = { resourceVersion: String(event.revision), creationTimestamp: null, ...annotations };
  const object = { kind: info.kind, apiVersion: apiVersion(info), metadata };
  if (accepted.as === undefined) return object;
  const meta = { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
  if (accepted.as !== "Table") return meta;
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata: { resourceVersion: String(event.revision) },
    columnDefinitions: [],
    rows: [{ cells: [], object: meta }],
  };
}
