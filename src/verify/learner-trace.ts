import type { AuditEvent, Trace } from "../clusters/trace.ts";
import { unknown, VerdictReached } from "./verdict.ts";

/** A request the learner sent. */
export interface LearnerRequest {
  verb: string;
  resource: string;
  subresource: string | undefined;
  namespace: string | undefined;
  name: string | undefined;
  /** The body, parsed; for patches the patch itself; undefined where the audit log has none. */
  body: unknown;
  /** HTTP status of the answer. */
  code: number;
  /** The answer's message, where it was an error. */
  message: string | undefined;
  uri: string;
  userAgent: string;
  /** Milliseconds since the epoch. */
  at: number;
}

export interface RequestFilter {
  verbs?: readonly string[];
  /** Plural: `daemonsets`. */
  resource?: string;
  /** Absent: any, the object itself included; null: the object itself only. */
  subresource?: string | null;
  name?: string;
  /** Absent: the task's namespace; null: cluster-scoped. */
  namespace?: string | null;
}

/** What the learner sent to the API server since the step began, oldest first. */
export interface LearnerTrace {
  readonly available: boolean;
  /** Ends the check as `unknown` where the cluster keeps no audit log. */
  requests(filter?: RequestFilter): Promise<LearnerRequest[]>;
}

/** Programs whose requests are not the learner's, by the begin of their user agent. */
const notTheLearner =
  /^(k8s-practice|kube-controller-manager|kube-scheduler|kube-apiserver|kubelet|kube-proxy|coredns|kindnetd|local-path-provisioner|kubeadm)\b/;

export function learnerTrace(
  trace: Trace | undefined,
  { since, namespace }: { since: number; namespace: string },
): LearnerTrace {
  return {
    available: trace !== undefined,
    async requests(filter = {}) {
      if (trace === undefined) throw new VerdictReached(unknown());
      const events = await trace.read(since);
      const wanted = filter.namespace === undefined ? namespace : filter.namespace;
      return events
        .filter(isLearners)
        .map(toRequest)
        .filter(
          (r) =>
            r.at >= since &&
            (filter.verbs?.includes(r.verb) ?? true) &&
            (filter.resource === undefined || r.resource === filter.resource) &&
            (filter.subresource === undefined || (r.subresource ?? null) === filter.subresource) &&
            (filter.name === undefined || r.name === filter.name) &&
            (wanted === null ? r.namespace === undefined : r.namespace === wanted),
        );
    },
  };
}

function isLearners(event: AuditEvent): boolean {
  if (event.stage !== "ResponseComplete") return false;
  if (notTheLearner.test(event.userAgent ?? "")) return false;
  return !/^system:(serviceaccount:kube-|node:|kube-|apiserver)/.test(event.user?.username ?? "");
}

function toRequest(event: AuditEvent): LearnerRequest {
  const { objectRef: object = {}, responseStatus: status } = event;
  const body = event.requestObject as { metadata?: { name?: string } } | undefined;
  return {
    verb: event.verb,
    resource: object.resource ?? "",
    subresource: object.subresource,
    namespace: object.namespace === "" ? undefined : object.namespace,
    // A create names its object only in the body.
    name: object.name ?? body?.metadata?.name,
    body,
    code: status?.code ?? 0,
    message: status?.message,
    uri: event.requestURI,
    userAgent: event.userAgent ?? "",
    at: Date.parse(event.requestReceivedTimestamp),
  };
}
