import type { V1Job } from "@kubernetes/client-node";
import type { Kind } from "../../define.ts";
import { startWith } from "../../fields/generation.ts";

const jobName = "batch.kubernetes.io/job-name";
const controllerUid = "batch.kubernetes.io/controller-uid";

const startAtZero = startWith({});

/**
 * A Job selects its Pods by its own uid, in labels that its template gets, with and without a domain
 * (https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-selector). The uid must be set before.
 */
export function prepareForCreate(job: Kind<V1Job>): void {
  startAtZero(job);
  const { spec, metadata } = job;
  if (!spec || spec.manualSelector) return;
  const uid = metadata.uid ?? "";
  const name = metadata.name ?? "";
  spec.template.metadata ??= {};
  spec.template.metadata.labels = {
    "job-name": name,
    [jobName]: name,
    "controller-uid": uid,
    [controllerUid]: uid,
    ...spec.template.metadata.labels,
  };
  spec.selector ??= {};
  spec.selector.matchLabels = { [controllerUid]: uid, ...spec.selector.matchLabels };
}
