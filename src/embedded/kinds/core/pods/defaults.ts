import type { V1Pod } from "@kubernetes/client-node";
import type { Kind } from "../../define.ts";
import { applyPodOnlyDefaults, applyPodSpecDefaults } from "../../pod-spec/defaults.ts";

/** SetDefaults_Pod and SetDefaults_PodSpec. */
export function applyDefaults(pod: Kind<V1Pod>): void {
  if (!pod.spec) return;
  applyPodSpecDefaults(pod.spec);
  applyPodOnlyDefaults(pod.spec);
}
