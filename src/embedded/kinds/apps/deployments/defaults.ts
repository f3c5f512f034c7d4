import type { V1Deployment } from "@kubernetes/client-node";
import type { Kind } from "../../define.ts";
import { applyTemplateDefaults } from "../../pod-spec/template.ts";

/** SetDefaults_Deployment. */
export function applyDefaults({ spec }: Kind<V1Deployment>): void {
  if (!spec) return;
  applyTemplateDefaults(spec);
  spec.replicas ??= 1;
  spec.strategy ??= {};
  spec.strategy.type ||= "RollingUpdate";
  if (spec.strategy.type === "RollingUpdate") {
    spec.strategy.rollingUpdate ??= {};
    spec.strategy.rollingUpdate.maxUnavailable ??= "25%";
    spec.strategy.rollingUpdate.maxSurge ??= "25%";
  }
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
}
