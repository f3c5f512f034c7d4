import { ApiError, apiError } from "../api/api-error.ts";
import type { KubeObject } from "../api/object.ts";
import type { ListOptions, ListResult, Target } from "./api.ts";
import { fromStorage } from "./conversion.ts";
import type { RegistryCore } from "./core.ts";
import { keyOf, stateAt } from "./past-state.ts";
import type { ResourceDefinition } from "./resource-catalogue.ts";
import { readResourceVersion, readSelection } from "./selection.ts";

interface Snapshot {
  items: readonly KubeObject[];
  revision: number;
  expires: number;
}

interface Continue {
  /** Revision of the list; -1: of whenever it is continued. */
  rv: number;
  /** Key of the last object handed out. */
  start: string;
}

const snapshotLife = 5 * 60_000;
const snapshotCount = 64;

/** Lists, with pages that all show the state of the first one (https://kubernetes.io/docs/reference/using-api/api-concepts/#retrieving-large-results-sets-in-chunks). */
export class Lister {
  private readonly snapshots = new Map<string, Snapshot>();

  constructor(private readonly core: RegistryCore) {}

  list(definition: ResourceDefinition, target: Target, options: ListOptions): ListResult {
    const { store, clock } = this.core;
    this.checkVersion(options);
    const selection = readSelection(definition, options);
    const namespace = definition.info.namespaced && target.namespace ? target.namespace : undefined;
    const select = (objects: readonly KubeObject[]) => {
      const chosen =
        selection.name === undefined ? objects : objects.filter((object) => object.metadata.name === selection.name);
      const matching = chosen.filter((object) => selection.matches(fromStorage(definition, object)));
      return definition.fromStored || definition.storage.group !== definition.info.group || definition.custom
        ? matching.map((object) => fromStorage(definition, object))
        : matching;
    };
    const now = () => select(store.list(definition.storage, namespace));
    const limit = options.limit ?? 0;
    if (options.continue === undefined || options.continue === "") {
      const exact = exactRevision(options);
      const revision = exact ?? store.revision;
      const items = exact === undefined ? now() : select(this.past(definition, namespace, exact));
      if (limit <= 0 || items.length <= limit) return { items, metadata: { resourceVersion: String(revision) } };
      const snapshot = { items, revision, expires: clock.now() + snapshotLife };
      this.keep(this.snapshotKey(definition, target, options, String(revision)), snapshot);
      return this.page(snapshot, 0, limit, options);
    }
    const token = readContinue(options.continue);
    if (token.rv === -1) {
      const snapshot = { items: now(), revision: store.revision, expires: 0 };
      return this.page(snapshot, after(snapshot.items, token.start), limit || snapshot.items.length, options);
    }
    const snapshot = this.snapshots.get(this.snapshotKey(definition, target, options, String(token.rv)));
    if (snapshot === undefined || snapshot.expires < clock.now()) throw expired(token);
    return this.page(snapshot, after(snapshot.items, token.start), limit || snapshot.items.length, options);
  }

  /** @throws ApiError 410 when nobody remembers */
  private past(definition: ResourceDefinition, namespace: string | undefined, revision: number): readonly KubeObject[] {
    try {
      return stateAt(this.core.store, definition.storage, namespace, revision);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 410) throw error;
      throw apiError.gone("The resourceVersion for the provided list is too old.");
    }
  }

  private page(snapshot: Snapshot, from: number, limit: number, options: ListOptions): ListResult {
    const items = snapshot.items.slice(from, from + limit);
    const remaining = snapshot.items.length - from - items.length;
    const metadata: ListResult["metadata"] = { resourceVersion: String(snapshot.revision) };
    if (remaining > 0) {
      metadata.continue = writeContinue({ rv: snapshot.revision, start: keyOf(items.at(-1)!) });
      // Unknown where a selector makes the server filter what it reads.
      if (!options.labelSelector && !options.fieldSelector) metadata.remainingItemCount = remaining;
    }
    return { items, metadata };
  }

  private checkVersion(options: ListOptions): void {
    const { resourceVersion, resourceVersionMatch: match } = options;
    const invalid = (field: string, message: string, reason = "FieldValueForbidden") => {
      const text = `${field}: ${message}`;
      return new ApiError(422, "Invalid", `ListOptions.meta.k8s.io "" is invalid: ${text}`, {
        group: "meta.k8s.io",
        kind: "ListOptions",
        causes: [{ reason, message, field }],
      });
    };
    if (match !== undefined) {
      if (options.continue) {
        throw invalid("resourceVersionMatch", "Forbidden: resourceVersionMatch is forbidden when continue is provided");
      }
      if (!resourceVersion) {
        throw invalid(
          "resourceVersionMatch",
          "Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided",
        );
      }
      if (match !== "Exact" && match !== "NotOlderThan") {
        throw invalid(
          "resourceVersionMatch",
          `Unsupported value: ${JSON.stringify(match)}: supported values: "Exact", "NotOlderThan", ""`,
          "FieldValueNotSupported",
        );
      }
      if (match === "Exact" && resourceVersion === "0") {
        throw invalid(
          "resourceVersionMatch",
          'Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
        );
      }
    }
    if (options.continue && resourceVersion && resourceVersion !== "0") {
      throw apiError.badRequest("specifying resource version is not allowed when using continue");
    }
    const wanted = readResourceVersion(resourceVersion);
    if (wanted !== undefined && wanted > this.core.store.revision) {
      const error = new ApiError(
        504,
        "Timeout",
        `Too large resource version: ${wanted}, current: ${this.core.store.revision}`,
        {
          causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
          retryAfterSeconds: 1,
        },
      );
      throw error;
    }
  }

  private keep(key: string, snapshot: Snapshot): void {
    this.snapshots.set(key, snapshot);
    for (const oldest of this.snapshots.keys()) {
      if (this.snapshots.size <= snapshotCount) break;
      this.snapshots.delete(oldest);
    }
  }

  private snapshotKey({ info }: ResourceDefinition, target: Target, options: ListOptions, rv: string): string {
    return [
      rv,
      info.group,
      info.version,
      info.resource,
      target.namespace,
      options.labelSelector,
      options.fieldSelector,
    ].join("\0");
  }
}

/** The one state that is asked for; a page of a certain version has always meant that one. */
function exactRevision({ limit = 0, resourceVersion, resourceVersionMatch }: ListOptions): number | undefined {
  if (resourceVersionMatch === "Exact" || (resourceVersionMatch === undefined && limit > 0)) {
    return readResourceVersion(resourceVersion);
  }
  return undefined;
}

function after(items: readonly KubeObject[], start: string): number {
  const at = items.findIndex((object) => keyOf(object) > start);
  return at < 0 ? items.length : at;
}

function writeContinue(token: Continue): string {
  return Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", ...token })).toString("base64url");
}

function readContinue(text: string): Continue {
  try {
    const token = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as Continue & { v: string };
    if (token.v === "meta.k8s.io/v1" && typeof token.rv === "number" && typeof token.start === "string") return token;
  } catch {
    // Told below.
  }
  throw apiError.badRequest("continue key is not valid: invalid character");
}

/** The list it continues is gone: with the Status comes a token that goes on with what is there now. */
function expired(token: Continue): ApiError {
  const error = new ApiError(
    410,
    "Expired",
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.",
  );
  error.status.metadata = { continue: writeContinue({ rv: -1, start: token.start }) };
  return error;
}
