import type { V1NetworkPolicy, V1NetworkPolicyPort } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import type { Wire } from "../../../api/object.ts";
import { defineKind, type Kind } from "../../define.ts";
import { nextGeneration, startGeneration } from "../../fields/generation.ts";
import { formatLabelSelector } from "../../fields/labels.ts";
import { validate } from "./validation.ts";

function applyDefaults({ spec }: Kind<V1NetworkPolicy>): void {
  if (!spec) return;
  const rules: { ports?: Wire<V1NetworkPolicyPort>[] }[] = [...(spec.ingress ?? []), ...(spec.egress ?? [])];
  for (const rule of rules) for (const port of rule.ports ?? []) port.protocol ??= "TCP";
  if ((spec.policyTypes ?? []).length === 0) {
    spec.policyTypes = (spec.egress ?? []).length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
  }
}

export const networkPolicies = defineKind<Kind<V1NetworkPolicy>>({
  group: "networking.k8s.io",
  resource: "networkpolicies",
  applyDefaults,
  prepareForCreate: startGeneration,
  prepareForUpdate: nextGeneration,
  validate,
  cells: ({ metadata, spec }, now) => [
    metadata.name,
    formatLabelSelector(spec?.podSelector),
    ageSince(metadata.creationTimestamp, now),
  ],
});
