import { ageSince } from "../api/duration.ts";
import type { KubeObject } from "../api/object.ts";
import type { Column } from "../api/resource.ts";
import type { KindStrategy } from "../registry/strategy.ts";

/** What of an object goes along with its row. */
export type IncludeObject = "None" | "Metadata" | "Object";

/**
 * meta.k8s.io/v1 Table: rows made by the kind's strategy, or by name and age.
 *
 * @param options.headers false for all events of a watch but the first
 */
export function tableOf(
  objects: readonly KubeObject[],
  { columns, strategy }: { columns: readonly Column[]; strategy: KindStrategy | undefined },
  options: { now: number; include: IncludeObject; metadata?: object; headers?: boolean },
) {
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata: options.metadata ?? {},
    columnDefinitions:
      options.headers === false ? [] : columns.map((column) => ({ ...column, description: column.description ?? "" })),
    rows: objects.map((object) => ({
      cells: strategy?.cells?.(object, options.now) ?? columns.map((column) => plainCell(column, object, options.now)),
      ...rowObject(object, options.include),
    })),
  };
}

function plainCell(column: Column, object: KubeObject, now: number): unknown {
  if (column.format === "name") return object.metadata.name;
  if (column.name === "Created At") return object.metadata.creationTimestamp;
  if (column.name === "Age") return ageSince(object.metadata.creationTimestamp, now);
  return "<none>";
}

function rowObject(object: KubeObject, include: IncludeObject): { object?: unknown } {
  if (include === "None") return {};
  if (include === "Object") return { object };
  return { object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata } };
}
