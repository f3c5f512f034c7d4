import type { V1Endpoint, V1Service } from "@kubernetes/client-node";
import { matchesLabels } from "../../api/label-selector.ts";
import type { KubeObject, Wire } from "../../api/object.ts";
import { isPodReady, isPodTerminal, type Node, type Pod } from "../../api/pod.ts";

export type Service = KubeObject & Wire<V1Service>;
export type Endpoint = Wire<V1Endpoint>;

export interface ServicePort {
  name: string;
  port: number | undefined;
  protocol: string;
  appProtocol?: string;
}

/** A Pod behind a Service, with the ports it serves there. */
export interface Backend {
  pod: Pod;
  ports: ServicePort[];
}

/** The Pods a Service's selector finds that have an address and have not ended. */
export function backends(service: Service, pods: readonly KubeObject[]): Backend[] {
  const selector = service.spec?.selector;
  if (!selector || Object.keys(selector).length === 0) return [];
  return (pods as readonly Pod[])
    .filter((pod) => matchesLabels(selector, pod.metadata.labels) && pod.status?.podIP && !isPodTerminal(pod))
    .map((pod) => ({ pod, ports: servicePorts(service, pod) }));
}

/** The numbers of a Service's target ports on one Pod; a named port the Pod does not have is left out. */
export function servicePorts(service: Service, pod: Pod): ServicePort[] {
  return (service.spec?.ports ?? []).flatMap((port) => {
    const number = targetPort(port.targetPort ?? port.port, port.protocol ?? "TCP", pod);
    if (number === undefined) return [];
    const { appProtocol } = port;
    return [
      {
        name: port.name ?? "",
        port: number,
        protocol: port.protocol ?? "TCP",
        ...(appProtocol === undefined ? {} : { appProtocol }),
      },
    ];
  });
}

function targetPort(target: unknown, protocol: string, pod: Pod): number | undefined {
  if (typeof target === "number") return target;
  const restartable = (pod.spec?.initContainers ?? []).filter((c) => c.restartPolicy === "Always");
  for (const container of [...(pod.spec?.containers ?? []), ...restartable]) {
    const found = container.ports?.find((p) => p.name === target && (p.protocol ?? "TCP") === protocol);
    if (found) return found.containerPort;
  }
  return undefined;
}

/** One endpoint of an EndpointSlice, with its conditions (KEP-1672). */
export function endpointOf(service: Service, pod: Pod, node: Node | undefined): Endpoint {
  const serving = isPodReady(pod);
  const terminating = !!pod.metadata.deletionTimestamp;
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  const zone = node?.metadata.labels?.["topology.kubernetes.io/zone"];
  const named = pod.spec?.hostname && pod.spec.subdomain === service.metadata.name;
  return {
    addresses: [pod.status!.podIP!],
    conditions: { ready, serving, terminating },
    ...(named ? { hostname: pod.spec!.hostname! } : {}),
    ...(pod.spec?.nodeName ? { nodeName: pod.spec.nodeName } : {}),
    targetRef: { kind: "Pod", name: pod.metadata.name!, namespace: pod.metadata.namespace!, uid: pod.metadata.uid! },
    ...(zone ? { zone } : {}),
  } as Endpoint;
}
