import { randomUUID } from "node:crypto";
import { rfc3339Micro } from "../api/clock.ts";
import type { UserInfo } from "../registry/api.ts";

/** What is known of a request when it is answered. */
export interface AuditedRequest {
  verb: string;
  requestURI: string;
  user: UserInfo;
  /** Whom `user` asked to be taken for. */
  impersonatedUser?: UserInfo;
  userAgent: string | undefined;
  sourceIP: string | undefined;
  objectRef: Record<string, string> | undefined;
  /** Milliseconds since the epoch. */
  receivedAt: number;
  answeredAt: number;
  code: number;
  reason?: string;
  message?: string;
  /** What authorization said. */
  decision: "allow" | "forbid";
  requestObject?: unknown;
}

/** What carries secrets is logged without its body, as every sensible audit policy has it. */
const confidential = ["secrets", "tokenreviews", "serviceaccounts/token"];

/** An audit.k8s.io/v1 Event of level Request (Metadata for what is confidential), stage ResponseComplete. */
export function auditEvent(request: AuditedRequest): Record<string, unknown> {
  const { code, reason, message, requestObject, user, impersonatedUser } = request;
  const failed = code >= 400;
  const { resource, subresource } = request.objectRef ?? {};
  const isConfidential = confidential.includes(
    subresource === undefined ? (resource ?? "") : `${resource}/${subresource}`,
  );
  return {
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level: isConfidential ? "Metadata" : "Request",
    auditID: randomUUID(),
    stage: "ResponseComplete",
    requestURI: request.requestURI,
    verb: request.verb,
    user: { username: user.username, groups: user.groups },
    ...(impersonatedUser === undefined
      ? {}
      : { impersonatedUser: { username: impersonatedUser.username, groups: impersonatedUser.groups } }),
    sourceIPs: [request.sourceIP ?? "127.0.0.1"],
    ...(request.userAgent === undefined ? {} : { userAgent: request.userAgent }),
    ...(request.objectRef === undefined ? {} : { objectRef: request.objectRef }),
    responseStatus: {
      metadata: {},
      ...(failed ? { status: "Failure", ...(message ? { message } : {}), ...(reason ? { reason } : {}) } : {}),
      code,
    },
    ...(requestObject === undefined || isConfidential ? {} : { requestObject }),
    requestReceivedTimestamp: rfc3339Micro(request.receivedAt),
    stageTimestamp: rfc3339Micro(request.answeredAt),
    annotations: { "authorization.k8s.io/decision": request.decision, "authorization.k8s.io/reason": "" },
  };
}
