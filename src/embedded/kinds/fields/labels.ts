import type { V1LabelSelector } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../api/field-error.ts";
import { labelValueErrors, qualifiedNameErrors } from "../../api/names.ts";
import type { Wire } from "../../api/object.ts";
import { named } from "./names.ts";

export type LabelSelector = Wire<V1LabelSelector>;

/** A map of labels: keys and values. */
export function labels(map: Record<string, string> | undefined, path: string): FieldError[] {
  return sortedEntries(map).flatMap(([key, value]) => [
    ...named(key, path, qualifiedNameErrors),
    ...named(value, path, labelValueErrors),
  ]);
}

/** A map of annotations: keys, and a size of 256 KiB at most. */
export function annotations(map: Record<string, string> | undefined, path: string): FieldError[] {
  const keys = sortedEntries(map).flatMap(([key]) => named(key.toLowerCase(), path, qualifiedNameErrors));
  const size = sortedEntries(map).reduce((sum, [k, v]) => sum + Buffer.byteLength(k) + Buffer.byteLength(v), 0);
  return size > 262_144 ? [...keys, fieldError.tooLong(path, 262_144)] : keys;
}

/** A metav1.LabelSelector. */
export function labelSelector(selector: LabelSelector | undefined, path: string): FieldError[] {
  if (!selector) return [];
  return [
    ...labels(selector.matchLabels, `${path}.matchLabels`),
    ...(selector.matchExpressions ?? []).flatMap((requirement, i) => {
      const at = `${path}.matchExpressions[${i}]`;
      const values = requirement.values ?? [];
      return [
        ...selectorOperator(requirement.operator, values, at),
        ...named(requirement.key, `${at}.key`, qualifiedNameErrors),
        ...values.flatMap((value, j) => named(value, `${at}.values[${j}]`, labelValueErrors)),
      ];
    }),
  ];
}

/** Whether a selector has no requirement, and so selects everything. */
export function isEmptySelector(selector: LabelSelector): boolean {
  return Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0;
}

/** Whether labels satisfy a selector; no selector at all matches nothing, an invalid one is undefined. */
export function selectorMatches(
  selector: LabelSelector | undefined,
  map: Record<string, string> | undefined,
): boolean | undefined {
  if (!selector) return false;
  if (labelSelector(selector, "").length > 0) return undefined;
  const given = map ?? {};
  return (
    Object.entries(selector.matchLabels ?? {}).every(([k, v]) => given[k] === v) &&
    (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
      const value = given[key];
      if (operator === "In") return value !== undefined && values.includes(value);
      if (operator === "NotIn") return value === undefined || !values.includes(value);
      return operator === "Exists" ? value !== undefined : value === undefined;
    })
  );
}

/** `a=b,c in (d,e)`: a selector as `kubectl get -o wide` shows it; `<none>` when it is empty. */
export function formatLabelSelector(selector: LabelSelector | undefined): string {
  if (!selector || isEmptySelector(selector)) return "<none>";
  const requirements = [
    ...sortedEntries(selector.matchLabels).map(([key, value]) => ({ key, text: `${key}=${value}` })),
    ...(selector.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
      const list = `(${[...values].sort().join(",")})`;
      const text =
        operator === "In"
          ? `${key} in ${list}`
          : operator === "NotIn"
            ? `${key} notin ${list}`
            : operator === "Exists"
              ? key
              : `!${key}`;
      return { key, text };
    }),
  ];
  return requirements
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map((r) => r.text)
    .join(",");
}

/** `a=b,c=d` in the order of the keys; `<none>` when there are none. */
export function formatLabels(map: Record<string, string> | undefined): string {
  const pairs = sortedEntries(map).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? "<none>" : pairs.join(",");
}

function selectorOperator(operator: string, values: string[], at: string): FieldError[] {
  switch (operator) {
    case "In":
    case "NotIn":
      return values.length > 0
        ? []
        : [fieldError.required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case "Exists":
    case "DoesNotExist":
      return values.length === 0
        ? []
        : [fieldError.forbidden(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [fieldError.invalid(`${at}.operator`, operator, "not a valid selector operator")];
  }
}

/** A map's entries in the order of their keys: Go's maps have none, and messages should not vary. */
export function sortedEntries<T>(map: Record<string, T> | undefined): [string, T][] {
  return Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
