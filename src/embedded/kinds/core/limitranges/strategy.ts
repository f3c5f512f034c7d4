import { type FieldError, fieldError } from "../../../api/field-error.ts";
import type { KubeObject } from "../../../api/object.ts";
import { compareQuantities, parseQuantity } from "../../../api/quantity.ts";
import { defineKind } from "../../define.ts";

type Amounts = Record<string, string>;

/** One limit as it is on the wire; the client's model renames `default`. */
interface Limit {
  type: string;
  min?: Amounts;
  max?: Amounts;
  default?: Amounts;
  defaultRequest?: Amounts;
  maxLimitRequestRatio?: Amounts;
}

interface LimitRange extends KubeObject {
  spec?: { limits?: Limit[] };
}

/** For containers: defaults from the maximum, default requests from defaults or the minimum. */
function applyDefaults({ spec }: LimitRange): void {
  for (const limit of spec?.limits ?? []) {
    if (limit.type !== "Container") continue;
    limit.default = { ...limit.max, ...limit.default };
    limit.defaultRequest = { ...limit.min, ...limit.default, ...limit.defaultRequest };
  }
}

function validate({ spec }: LimitRange): FieldError[] {
  const seen = new Set<string>();
  return (spec?.limits ?? []).flatMap((limit, i) => {
    const at = `spec.limits[${i}]`;
    const errors = seen.has(limit.type) ? [fieldError.duplicate(`${at}.type`, limit.type)] : [];
    seen.add(limit.type);
    if (limit.type === "Pod") {
      for (const field of ["default", "defaultRequest"] as const) {
        if (Object.keys(limit[field] ?? {}).length > 0) {
          errors.push(fieldError.forbidden(`${at}.${field}`, "may not be specified when `type` is 'Pod'"));
        }
      }
    }
    if (limit.type === "PersistentVolumeClaim" && !limit.min?.["storage"] && !limit.max?.["storage"]) {
      errors.push(
        fieldError.required(
          `${at}.limits`,
          "either minimum or maximum storage value is required, but neither was provided",
        ),
      );
    }
    const names = new Set(
      [limit.min, limit.max, limit.default, limit.defaultRequest].flatMap((amounts) => Object.keys(amounts ?? {})),
    );
    return [...errors, ...[...names].sort().flatMap((name) => validateOrder(limit, name, at))];
  });
}

function validateOrder(limit: Limit, name: string, at: string): FieldError[] {
  const min = limit.min?.[name];
  const max = limit.max?.[name];
  const standard = limit.default?.[name];
  const request = limit.defaultRequest?.[name];
  const above = (a: string | undefined, b: string | undefined) =>
    a !== undefined && b !== undefined && compareQuantities(parseQuantity(a), parseQuantity(b)) > 0;
  const wrong = (field: string, value: string | undefined, why: string) =>
    fieldError.invalid(`${at}.${field}[${name}]`, value, why);
  const is = "is greater than";
  return [
    ...(above(min, max) ? [wrong("min", min, `min value ${min} ${is} max value ${max}`)] : []),
    ...(above(min, request)
      ? [wrong("defaultRequest", request, `min value ${min} ${is} default request value ${request}`)]
      : []),
    ...(above(request, max)
      ? [wrong("defaultRequest", request, `default request value ${request} ${is} max value ${max}`)]
      : []),
    ...(above(request, standard)
      ? [wrong("defaultRequest", request, `default request value ${request} ${is} default limit value ${standard}`)]
      : []),
    ...(above(min, standard) ? [wrong("default", min, `min value ${min} ${is} default value ${standard}`)] : []),
    ...(above(standard, max) ? [wrong("default", max, `default value ${standard} ${is} max value ${max}`)] : []),
  ];
}

export const limitRanges = defineKind<LimitRange>({
  group: "",
  resource: "limitranges",
  applyDefaults,
  validate,
  cells: ({ metadata }) => [metadata.name, metadata.creationTimestamp],
});
