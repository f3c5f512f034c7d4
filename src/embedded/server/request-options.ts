import { apiError } from "../api/api-error.ts";
import { type FieldError, fieldError } from "../api/field-error.ts";
import type { RequestContext, UserInfo } from "../registry/api.ts";

const fieldValidations = ["Ignore", "Warn", "Strict"] as const;
const propagationPolicies = ["Foreground", "Background", "Orphan"] as const;
const optionsOf: Record<string, string> = {
  create: "CreateOptions",
  update: "UpdateOptions",
  patch: "PatchOptions",
  delete: "DeleteOptions",
  deletecollection: "DeleteOptions",
};

/**
 * Who asks, and the options that come in the query (metav1.CreateOptions, UpdateOptions, PatchOptions), or for deletions
 * in the body (metav1.DeleteOptions).
 *
 * @throws ApiError 422 for a value that an option can't have
 */
export function requestContext(
  user: UserInfo,
  userAgent: string | undefined,
  verb: string,
  query: URLSearchParams,
  body: unknown,
): RequestContext {
  const inBody = verb.startsWith("delete") ? ((body as { dryRun?: unknown } | undefined)?.dryRun ?? []) : [];
  const dryRun = [...query.getAll("dryRun"), ...(Array.isArray(inBody) ? inBody.map(String) : [])];
  const validation = query.get("fieldValidation") ?? "";
  const kind = optionsOf[verb];
  if (kind !== undefined) {
    const errors: FieldError[] = [];
    for (const value of dryRun) if (value !== "All") errors.push(fieldError.notSupported("dryRun", value, ["All"]));
    if (validation !== "" && !isFieldValidation(validation)) {
      errors.push(fieldError.notSupported("fieldValidation", validation, fieldValidations));
    }
    if (kind === "DeleteOptions") errors.push(...propagationErrors(query, body));
    if (errors.length > 0) throw apiError.invalid({ group: "meta.k8s.io", kind }, "", errors);
  }
  return {
    user,
    userAgent,
    dryRun: dryRun.includes("All"),
    fieldManager: query.get("fieldManager") || undefined,
    fieldValidation: isFieldValidation(validation) ? validation : "Warn",
    force: query.get("force") === "true",
    warnings: [],
  };
}

function propagationErrors(query: URLSearchParams, body: unknown): FieldError[] {
  const given = (body ?? {}) as { propagationPolicy?: unknown; orphanDependents?: unknown };
  const policy = given.propagationPolicy ?? query.get("propagationPolicy") ?? undefined;
  if (policy === undefined) return [];
  if (typeof given.orphanDependents === "boolean") {
    return [
      fieldError.invalid("propagationPolicy", policy, "orphanDependents and deletionPropagation cannot be both set"),
    ];
  }
  return propagationPolicies.some((known) => known === policy)
    ? []
    : [fieldError.notSupported("propagationPolicy", policy, [...propagationPolicies, "nil"])];
}

function isFieldValidation(text: string): text is (typeof fieldValidations)[number] {
  return (fieldValidations as readonly string[]).includes(text);
}
