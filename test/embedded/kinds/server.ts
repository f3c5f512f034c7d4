import { parse } from "yaml";
import type { FieldError } from "../../../src/embedded/api/field-error.ts";
import { copy, type KubeObject } from "../../../src/embedded/api/object.ts";
import { strategies } from "../../../src/embedded/kinds/index.ts";
import type { KindStrategy, StrategyContext } from "../../../src/embedded/registry/strategy.ts";

/** Noon of the day the tests live in. */
export const now = Date.parse("2026-01-01T12:00:00Z");

/** A cluster that holds `objects`, by `group/resource`. */
export function cluster(objects: Record<string, KubeObject[]> = {}): StrategyContext {
  const list = (group: string, resource: string, namespace?: string) =>
    (objects[`${group}/${resource}`] ?? []).filter((o) => !namespace || o.metadata.namespace === namespace);
  return {
    now,
    list,
    get: (group, resource, namespace, name) => list(group, resource, namespace).find((o) => o.metadata.name === name),
  };
}

export function strategyOf(resource: string, group = ""): KindStrategy {
  const found = strategies.find((s) => s.resource === resource && s.group === group);
  if (!found) throw new Error(`no strategy for ${resource}.${group}`);
  return found;
}

/** An object from YAML, with a name where it has none. */
export function object(yaml: string): KubeObject {
  const parsed = parse(yaml) as KubeObject;
  parsed.metadata = { name: "x", namespace: "lab", ...parsed.metadata };
  return parsed;
}

/** What becomes of an object that a client creates. */
export function create(strategy: KindStrategy, yaml: string, context = cluster()): KubeObject {
  const made = object(yaml);
  strategy.applyDefaults?.(made);
  strategy.prepareForCreate?.(made, context);
  return made;
}

/** Why a creation is refused: one `field: message` a line. */
export function refusals(strategy: KindStrategy, yaml: string, context = cluster()): string[] {
  const made = create(strategy, yaml, context);
  return lines(strategy.validate?.(made, context) ?? []);
}

/** What becomes of an update of `old` by `change`, and why it is refused, in the server's order. */
export function update(
  strategy: KindStrategy,
  old: KubeObject,
  change: (object: KubeObject) => void,
  context = cluster(),
): { object: KubeObject; refusals: string[] } {
  const before = copy(old);
  before.metadata.resourceVersion = "1";
  const after = copy(before);
  change(after);
  strategy.applyDefaults?.(after);
  strategy.prepareForUpdate?.(after, before, context);
  const own = strategy.validate?.(after, context) ?? [];
  const changes = strategy.validateUpdate?.(after, before, context) ?? [];
  return { object: after, refusals: lines(strategy.updateErrorsFirst ? [...changes, ...own] : [...own, ...changes]) };
}

function lines(errors: FieldError[]): string[] {
  return errors.map((e) => `${e.field}: ${e.message}`);
}

/** The cells of the columns that `kubectl get` shows, or all with `wide`. */
export function row(strategy: KindStrategy, made: KubeObject): unknown[] {
  return strategy.cells?.(made, now) ?? [];
}
