import type { KubeObject } from "../api/object.ts";
import type { GroupResource } from "../api/resource.ts";

export interface UserInfo {
  username: string;
  uid?: string;
  groups: string[];
  extra?: Record<string, string[]>;
}

/** Who asks, and the request's options (metav1.CreateOptions, UpdateOptions, PatchOptions in one). */
export interface RequestContext {
  user: UserInfo;
  userAgent?: string;
  /** True for dryRun=All: everything happens except persistence. */
  dryRun?: boolean;
  fieldManager?: string;
  /** Default Warn for JSON bodies, as the server's; controllers pass decoded objects and need none. */
  fieldValidation?: "Strict" | "Warn" | "Ignore";
  /** server-side apply only. */
  force?: boolean;
  /** Filled by the registry: texts for `Warning:` headers. */
  warnings?: string[];
}

/** Which objects a request is about. `version` picks the served version; omitted: the preferred one. */
export interface Target extends GroupResource {
  version?: string;
  /** "" or absent for cluster-scoped resources and for lists across namespaces. */
  namespace?: string;
  name?: string;
  /** `status`, `scale`, `binding`, `eviction`, `token`, `ephemeralcontainers`, `resize`, `approval`, `finalize`. */
  subresource?: string;
}

export interface ListOptions {
  labelSelector?: string;
  fieldSelector?: string;
  limit?: number;
  continue?: string;
  resourceVersion?: string;
  resourceVersionMatch?: "Exact" | "NotOlderThan";
}

export interface ListResult {
  items: readonly KubeObject[];
  /** metadata of the List. */
  metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number };
}

export interface WatchOptions extends Omit<ListOptions, "limit" | "continue"> {
  sendInitialEvents?: boolean;
  allowWatchBookmarks?: boolean;
}

export type WatchEvent =
  | { type: "ADDED" | "MODIFIED" | "DELETED"; object: KubeObject; revision: number }
  | { type: "BOOKMARK"; revision: number; initialEventsEnd: boolean };

export interface DeleteOptions {
  gracePeriodSeconds?: number;
  propagationPolicy?: "Background" | "Foreground" | "Orphan";
  preconditions?: { uid?: string; resourceVersion?: string };
}

export type PatchType =
  | "application/json-patch+json"
  | "application/merge-patch+json"
  | "application/strategic-merge-patch+json"
  | "application/apply-patch+yaml";

/**
 * The API server without HTTP: what every client does, the embedded controllers included. All calls are synchronous
 * and atomic, and throw ApiError. A `body` is JSON as a client sent it (already parsed): the registry decodes it
 * against the schema, applies fieldValidation and defaults, runs admission, strategy and validation, keeps
 * managedFields, generation and resourceVersion, and stores. An update that changes nothing changes no
 * resourceVersion. Authorization is the server's, before it calls.
 */
export interface Api {
  get(target: Target, context: RequestContext): KubeObject;
  list(target: Target, options: ListOptions, context: RequestContext): ListResult;
  /** Events come synchronously, as from the store; selectors turn a change into ADDED or DELETED as Kubernetes does. */
  watch(
    target: Target,
    options: WatchOptions,
    listener: (event: WatchEvent) => void,
    context: RequestContext,
  ): () => void;
  create(target: Target, body: unknown, context: RequestContext): KubeObject;
  update(target: Target, body: unknown, context: RequestContext): { object: KubeObject; created: boolean };
  patch(
    target: Target,
    type: PatchType,
    patch: unknown,
    context: RequestContext,
  ): { object: KubeObject; created: boolean };
  /** The object as it now is, when a finalizer or a grace period keeps it (`deleted` false), or as it last was. */
  delete(target: Target, options: DeleteOptions, context: RequestContext): { object: KubeObject; deleted: boolean };
  deleteCollection(
    target: Target,
    list: ListOptions,
    options: DeleteOptions,
    context: RequestContext,
  ): { items: KubeObject[] };
}
