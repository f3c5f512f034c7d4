import type { V1Service } from "@kubernetes/client-node";
import type { Kind } from "../../define.ts";
import { isHeadless } from "./allocation.ts";

const oldHints = "service.kubernetes.io/topology-aware-hints";

/** What a Service says in vain, or in words of old (pkg/api/service/warnings.go). */
export function warnings(service: Kind<V1Service>): string[] {
  const { spec, metadata } = service;
  const found: string[] = [];
  if (metadata.annotations?.[oldHints] !== undefined) {
    found.push(`annotation ${oldHints} is deprecated, please use service.kubernetes.io/topology-mode instead`);
  }
  const externalIPs = (spec?.externalIPs ?? []).length > 0;
  if (isHeadless(service)) {
    if (spec?.loadBalancerIP) found.push("spec.loadBalancerIP is ignored for headless services");
    if (externalIPs) found.push("spec.externalIPs is ignored for headless services");
    if (spec?.sessionAffinity !== "None") found.push("spec.SessionAffinity is ignored for headless services");
  }
  if (externalIPs && !isHeadless(service) && spec?.type !== "ExternalName") {
    found.push("spec.externalIPs is deprecated and may no longer be implemented in some clusters");
  }
  if (spec?.type === "ExternalName" && externalIPs) {
    found.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (spec?.type !== "ExternalName" && spec?.externalName) {
    found.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (spec?.trafficDistribution === "PreferClose") {
    found.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return found;
}
