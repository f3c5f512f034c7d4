/** One audit event (audit.k8s.io/v1, level Request) of what somebody sent to the API server. */
export interface AuditEvent {
  auditID: string;
  stage: string;
  /** RFC 3339 with microseconds. */
  requestReceivedTimestamp: string;
  stageTimestamp?: string;
  verb: string;
  requestURI: string;
  userAgent?: string;
  user?: { username?: string; groups?: string[] };
  objectRef?: {
    resource?: string;
    subresource?: string;
    namespace?: string;
    name?: string;
    apiGroup?: string;
    apiVersion?: string;
  };
  responseStatus?: { code?: number; reason?: string; message?: string };
  /** The body, parsed; for patches the patch itself. */
  requestObject?: unknown;
}

/** The cluster's audit log. */
export interface Trace {
  /** Completed requests received at or after `since` (milliseconds since the epoch), oldest first. */
  read(since: number): Promise<AuditEvent[]>;
}
