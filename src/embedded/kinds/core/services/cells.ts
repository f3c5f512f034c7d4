import type { V1Service } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import type { Kind } from "../../define.ts";
import { formatLabels } from "../../fields/labels.ts";
import { loadBalancerAddresses } from "../../table/load-balancer.ts";

type Service = Kind<V1Service>;

export function cells(service: Service, now: number): unknown[] {
  const { metadata, spec } = service;
  return [
    metadata.name,
    spec?.type ?? "",
    spec?.clusterIPs?.[0] ?? "<none>",
    externalAddress(service),
    ports(service) || "<none>",
    ageSince(metadata.creationTimestamp, now),
    formatLabels(spec?.selector),
  ];
}

function externalAddress({ spec, status }: Service): string {
  const own = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case "ClusterIP":
    case "NodePort":
      return own.join(",") || "<none>";
    case "LoadBalancer": {
      const balanced = loadBalancerAddresses(status?.loadBalancer?.ingress);
      return [...(balanced === "" ? [] : [balanced]), ...own].join(",") || "<pending>";
    }
    case "ExternalName":
      return spec.externalName ?? "";
    default:
      return "<unknown>";
  }
}

function ports({ spec }: Service): string {
  return (spec?.ports ?? [])
    .map((p) => (p.nodePort ? `${p.port}:${p.nodePort}/${p.protocol}` : `${p.port}/${p.protocol}`))
    .join(",");
}
