import type { V1DaemonSet } from "@kubernetes/client-node";
import type { Kind } from "../../define.ts";
import { applyTemplateDefaults } from "../../pod-spec/template.ts";

/** pkg/apis/apps/v1/defaults.go, SetDefaults_DaemonSet. */
export function applyDefaults(daemonSet: Kind<V1DaemonSet>): void {
  const spec = daemonSet.spec;
  if (!spec) return;
  applyTemplateDefaults(spec);
  spec.updateStrategy ??= {};
  const strategy = spec.updateStrategy;
  strategy.type ||= "RollingUpdate";
  if (strategy.type === "RollingUpdate") {
    strategy.rollingUpdate ??= {};
    strategy.rollingUpdate.maxUnavailable ??= 1;
    strategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
}
