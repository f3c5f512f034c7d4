import type { FieldError } from "./field-error.ts";
import { type GroupResource, groupResource } from "./resource.ts";

/** metav1.Status as the API answers it. */
export interface Status {
  kind: "Status";
  apiVersion: "v1";
  metadata: Record<string, unknown>;
  status: "Success" | "Failure";
  message?: string;
  reason?: string;
  details?: {
    name?: string;
    group?: string;
    kind?: string;
    uid?: string;
    causes?: { reason?: string; message?: string; field?: string }[];
    retryAfterSeconds?: number;
  };
  code?: number;
}

/** An answer of the API server other than success; carries the Status that goes on the wire. */
export class ApiError extends Error {
  readonly status: Status;

  constructor(code: number, reason: string, message: string, details?: Status["details"]) {
    super(message);
    this.name = "ApiError";
    this.status = {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message,
      ...(reason === "" ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    };
  }

  get code(): number {
    return this.status.code ?? 500;
  }

  get reason(): string {
    return this.status.reason ?? "";
  }
}

/** Kubernetes' own error constructors (k8s.io/apimachinery/pkg/api/errors), with their wording. */
export const apiError = {
  notFound: (gr: GroupResource, name: string) =>
    new ApiError(404, "NotFound", `${groupResource(gr)} "${name}" not found`, details(gr, name)),
  /** A path or method that the server does not serve. */
  noSuchPath: () => new ApiError(404, "NotFound", "the server could not find the requested resource", {}),
  alreadyExists: (gr: GroupResource, name: string) =>
    new ApiError(409, "AlreadyExists", `${groupResource(gr)} "${name}" already exists`, details(gr, name)),
  conflict: (gr: GroupResource, name: string, why: string) =>
    new ApiError(
      409,
      "Conflict",
      `Operation cannot be fulfilled on ${groupResource(gr)} "${name}": ${why}`,
      details(gr, name),
    ),
  forbidden: (gr: GroupResource, name: string, why: string) =>
    new ApiError(
      403,
      "Forbidden",
      name === "" ? `${groupResource(gr)} is forbidden: ${why}` : `${groupResource(gr)} "${name}" is forbidden: ${why}`,
      details(gr, name),
    ),
  /** 422 with causes; `kind` is the object's kind and its group, as `DaemonSet.apps`. */
  invalid: (gk: { group: string; kind: string }, name: string, errors: FieldError[]) => {
    const texts = errors.map((e) => `${e.field}: ${e.message}`);
    const list = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
    return new ApiError(
      422,
      "Invalid",
      `${gk.group === "" ? gk.kind : `${gk.kind}.${gk.group}`} "${name}" is invalid: ${list}`,
      {
        ...(name === "" ? {} : { name }),
        ...(gk.group === "" ? {} : { group: gk.group }),
        kind: gk.kind,
        causes: errors.map((e) => ({ reason: e.type, message: e.message, field: e.field })),
      },
    );
  },
  badRequest: (message: string) => new ApiError(400, "BadRequest", message),
  unauthorized: () => new ApiError(401, "Unauthorized", "Unauthorized"),
  gone: (message: string) => new ApiError(410, "Expired", message),
  methodNotSupported: (gr: GroupResource, verb: string) =>
    new ApiError(
      405,
      "MethodNotAllowed",
      `${verb} is not supported on resources of kind "${groupResource(gr)}"`,
      details(gr, ""),
    ),
  unsupportedMediaType: (message: string) => new ApiError(415, "UnsupportedMediaType", message),
  notAcceptable: (message: string) => new ApiError(406, "NotAcceptable", message),
  tooManyRequests: (message: string, retryAfterSeconds?: number) =>
    new ApiError(429, "TooManyRequests", message, retryAfterSeconds === undefined ? undefined : { retryAfterSeconds }),
  requestTooLarge: (message: string) => new ApiError(413, "RequestEntityTooLarge", message),
  internal: (message: string) => new ApiError(500, "InternalError", `Internal error occurred: ${message}`),
};

function details(gr: GroupResource, name: string): Status["details"] {
  return { ...(name === "" ? {} : { name }), ...(gr.group === "" ? {} : { group: gr.group }), kind: gr.resource };
}
