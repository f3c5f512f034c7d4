import type { V1PodTemplateSpec } from "@kubernetes/client-node";
import type { Wire } from "../../api/object.ts";
import { applyPodSpecDefaults } from "./defaults.ts";

/** Defaults of the template of a controller's spec. */
export function applyTemplateDefaults(owner: { template?: Wire<V1PodTemplateSpec> }): void {
  if (!owner.template) return;
  owner.template.metadata ??= {};
  owner.template.spec ??= { containers: [] };
  applyPodSpecDefaults(owner.template.spec);
}
