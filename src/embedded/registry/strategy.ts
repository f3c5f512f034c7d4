import type { FieldError } from "../api/field-error.ts";
import type { KubeObject } from "../api/object.ts";

/** What a strategy may know of the request and the cluster. */
export interface StrategyContext {
  /** Milliseconds since the epoch. */
  now: number;
  /** Reads another object of the cluster (core group: ""), for example a PriorityClass or a Service's address in use. */
  get(group: string, resource: string, namespace: string, name: string): KubeObject | undefined;
  list(group: string, resource: string, namespace?: string): readonly KubeObject[];
}

/** What an update of a subresource that shows the whole object may change of it, and what is wrong with it. */
export interface SubresourceStrategy<T extends KubeObject = KubeObject> {
  /** Puts back everything else; bumps generation when the spec changed. */
  prepareForUpdate(object: T, old: T): void;
  /** Runs after `validate`. */
  validateUpdate(object: T, old: T): FieldError[];
}

/**
 * What the API server knows of one kind beyond its schema: defaulting that depends on other fields, what a client may
 * not set, validation in the API server's words, and how a row of its Table looks. Every member is optional: a kind
 * without a strategy is still served by schema and table. Functions that change an object change the one they are
 * given (a private copy). Modelled on the strategies under pkg/registry in the Kubernetes repository.
 */
export interface KindStrategy<T extends KubeObject = KubeObject> {
  group: string;
  resource: string;
  /** Defaulting beyond the schema's declared defaults; runs for every decoded request body of the kind. */
  applyDefaults?(object: T): void;
  /** Drops status, sets generation and what the server decides; runs before validation. */
  prepareForCreate?(object: T, context: StrategyContext): void;
  /** Restores what an update may not change (status), bumps generation when the spec changed. */
  prepareForUpdate?(object: T, old: T, context: StrategyContext): void;
  /** For PUT/PATCH on /status: keeps everything but status. */
  prepareForStatusUpdate?(object: T, old: T, context: StrategyContext): void;
  validate?(object: T, context: StrategyContext): FieldError[];
  /** Runs after `validate` on an update; both lists are shown together. */
  validateUpdate?(object: T, old: T, context: StrategyContext): FieldError[];
  /** True where the server names what an update may not change before what is wrong with the object (DaemonSets). */
  updateErrorsFirst?: boolean;
  /** By name: `resize`, `ephemeralcontainers`. */
  subresources?: Record<string, SubresourceStrategy<T>>;
  validateStatusUpdate?(object: T, old: T, context: StrategyContext): FieldError[];
  /** Texts of `Warning:` headers for a create or an update (deprecated fields and annotations). */
  warnings?(object: T, old: T | undefined): string[];
  /** Field labels besides metadata.name and metadata.namespace, for example `spec.nodeName`. */
  selectableFields?: Record<string, (object: T) => string>;
  /**
   * What a client of another version than the stored one sees, by version. A body in such a version is brought into the
   * stored form by `applyDefaults`.
   */
  fromStored?: Record<string, (stored: T) => KubeObject>;
  /** The row's cells, one for each column of data/columns.json, in that order. */
  cells?(object: T, now: number): unknown[];
  /** Grace period in seconds a deletion starts with, for kinds that are deleted gracefully (Pods); undefined: at once. */
  gracePeriod?(object: T, requested: number | undefined): number | undefined;
  /** Dependents' fate when DeleteOptions say nothing: Background unless the kind says otherwise (Jobs of old: Orphan). */
  defaultPropagation?: "Background" | "Orphan" | "Foreground";
  /** False for kinds where a PUT or an apply on a missing name is 404 (default), true for Lease-like kinds. */
  allowCreateOnUpdate?: boolean;
  /** False: an update must name the resourceVersion (kinds like Service keep true). */
  allowUnconditionalUpdate?: boolean;
}
