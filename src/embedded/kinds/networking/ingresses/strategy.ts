import type { V1Ingress } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import { defineKind, type Kind } from "../../define.ts";
import { keepSpec, nextGeneration, startWith } from "../../fields/generation.ts";
import { loadBalancerAddresses } from "../../table/load-balancer.ts";
import { validate } from "./validation.ts";

type Ingress = Kind<V1Ingress>;

const classAnnotation = "kubernetes.io/ingress.class";
const shown = 3;

function hosts({ spec }: Ingress): string {
  const rules = spec?.rules ?? [];
  const list: string[] = [];
  for (const { host } of rules) {
    if (list.length === shown) return `${list.join(",")} + ${rules.length - shown} more...`;
    if (host) list.push(host);
  }
  return list.join(",") || "*";
}

export const ingresses = defineKind<Ingress>({
  group: "networking.k8s.io",
  resource: "ingresses",
  prepareForCreate: startWith({ loadBalancer: {} }),
  prepareForUpdate: nextGeneration,
  prepareForStatusUpdate: keepSpec,
  validate,
  warnings: ({ metadata }, old) =>
    metadata.annotations?.[classAnnotation] !== undefined && old?.metadata.annotations?.[classAnnotation] === undefined
      ? [`annotation ${JSON.stringify(classAnnotation)} is deprecated, please use 'spec.ingressClassName' instead`]
      : [],
  cells: (ingress, now) => [
    ingress.metadata.name,
    ingress.spec?.ingressClassName ?? "<none>",
    hosts(ingress),
    loadBalancerAddresses(ingress.status?.loadBalancer?.ingress),
    (ingress.spec?.tls ?? []).length > 0 ? "80, 443" : "80",
    ageSince(ingress.metadata.creationTimestamp, now),
  ],
});
