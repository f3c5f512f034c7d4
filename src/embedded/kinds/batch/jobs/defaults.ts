import type { V1Job, V1JobSpec } from "@kubernetes/client-node";
import type { Wire } from "../../../api/object.ts";
import type { Kind } from "../../define.ts";
import { applyTemplateDefaults } from "../../pod-spec/template.ts";

/** SetDefaults_Job. */
export function applyDefaults({ spec, metadata }: Kind<V1Job>): void {
  if (!spec) return;
  applyTemplateDefaults(spec);
  applyPolicyDefaults(spec);
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : 2 ** 31 - 1;
  const labels = spec.template?.metadata?.labels;
  if (labels && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels };
  spec.completionMode ??= "NonIndexed";
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? "Failed" : "TerminatingOrFailed";
  spec.manualSelector ??= false;
}

/** Of a Job and of a CronJob's template alike. */
export function applyPolicyDefaults(spec: Wire<V1JobSpec>): void {
  for (const rule of spec.podFailurePolicy?.rules ?? []) {
    for (const pattern of rule.onPodConditions ?? []) pattern.status ||= "True";
  }
}
