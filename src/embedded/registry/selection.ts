import { apiError } from "../api/api-error.ts";
import type { LabelRequirement } from "../api/label-selector.ts";
import type { KubeObject } from "../api/object.ts";
import {
  type FieldTerm,
  matchesRequirements,
  parseFieldSelector,
  parseLabelSelector,
} from "../api/selector-strings.ts";
import type { ResourceDefinition } from "./resource-catalogue.ts";

/** Which objects of a resource a list or a watch is about. */
export interface Selection {
  /** Set when a field selector asks for one name. */
  name: string | undefined;
  matches(object: KubeObject): boolean;
}

const everything: Selection = { name: undefined, matches: () => true };

/** @throws ApiError 400 for a selector that can't be read or a field that can't be selected by */
export function readSelection(
  definition: ResourceDefinition,
  { labelSelector = "", fieldSelector = "" }: { labelSelector?: string; fieldSelector?: string },
): Selection {
  if (labelSelector === "" && fieldSelector === "") return everything;
  // kubectl puts what was looked for before it.
  const refuse = (error: unknown) => apiError.badRequest((error as Error).message);
  let labels: LabelRequirement[];
  let fields: { term: FieldTerm; read: (object: KubeObject) => string }[];
  try {
    labels = parseLabelSelector(labelSelector);
    fields = parseFieldSelector(fieldSelector).map((term) => ({ term, read: fieldReader(definition, term.field) }));
  } catch (error) {
    if (error instanceof Error && error.name === "Error") throw refuse(error);
    throw error;
  }
  const byName = fields.find(({ term }) => term.field === "metadata.name" && term.operator === "=");
  return {
    name: byName?.term.value,
    matches: (object) =>
      matchesRequirements(labels, object.metadata.labels) &&
      fields.every(({ term, read }) => (read(object) === term.value) === (term.operator === "=")),
  };
}

function fieldReader({ info, strategy }: ResourceDefinition, field: string): (object: KubeObject) => string {
  if (field === "metadata.name") return (object) => object.metadata.name ?? "";
  if (field === "metadata.namespace" && info.namespaced) return (object) => object.metadata.namespace ?? "";
  const own = strategy?.selectableFields?.[field];
  if (own === undefined) throw new Error(`field label not supported: ${field}`);
  return own;
}

/** `resourceVersion` of a request as a number; undefined when it is not given or 0. */
export function readResourceVersion(text: string | undefined): number | undefined {
  if (text === undefined || text === "" || text === "0") return undefined;
  if (!/^\d+$/.test(text)) {
    throw apiError.badRequest(
      `invalid resource version: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  }
  return Number(text);
}
