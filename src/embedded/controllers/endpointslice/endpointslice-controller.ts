import type { V1EndpointSlice } from "@kubernetes/client-node";
import { equal, type KubeObject, type Wire } from "../../api/object.ts";
import type { Node } from "../../api/pod.ts";
import { type ControllerContext, splitKey } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { endpointSlices, nodes, pods, services } from "../framework/resources.ts";
import { backends, type Endpoint, endpointOf, type Service, type ServicePort } from "./service-endpoints.ts";
import { ServiceBasedController } from "./service-watch.ts";

type EndpointSlice = KubeObject & Wire<V1EndpointSlice>;

const manager = "endpointslice-controller.k8s.io";
/** maxEndpointsPerSlice */
const perSlice = 100;

/** Keeps the EndpointSlices of Services with a selector (https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/). */
export class EndpointSliceController extends ServiceBasedController {
  readonly name = "endpointslice-controller";

  constructor(context: ControllerContext) {
    super(context);
    context.store.addIndex(endpointSlices, "service", (slice) => {
      const service = slice.metadata.labels?.["kubernetes.io/service-name"];
      return service ? [`${slice.metadata.namespace}/${service}`] : [];
    });
  }

  protected sync(key: string): void {
    const { store } = this.context;
    const { namespace, name } = splitKey(key);
    const service = store.get(services, namespace, name) as Service | undefined;
    const existing = (store.byIndex(endpointSlices, "service", key) as readonly EndpointSlice[]).filter(
      (s) => s.metadata.labels?.["endpointslice.kubernetes.io/managed-by"] === manager,
    );
    if (service === undefined || service.metadata.deletionTimestamp || !service.spec?.selector || external(service)) {
      for (const slice of existing) this.remove(slice);
      return;
    }
    const wanted = this.wantedSlices(service);
    const free = [...existing];
    for (const { ports, endpoints } of wanted) {
      const at = free.findIndex((s) => equal(withoutNames(s.ports), withoutNames(ports)));
      const slice = at < 0 ? undefined : free.splice(at, 1)[0];
      this.write(service, ports, endpoints, slice);
    }
    for (const slice of free) this.remove(slice);
  }

  /** Endpoints by the ports they serve, since Pods may give one port name different numbers. */
  private wantedSlices(service: Service): { ports: ServicePort[]; endpoints: Endpoint[] }[] {
    const { store } = this.context;
    const groups = new Map<string, { ports: ServicePort[]; endpoints: Endpoint[] }>();
    for (const { pod, ports } of backends(service, store.list(pods, service.metadata.namespace))) {
      const key = JSON.stringify(ports);
      const group = groups.get(key) ?? { ports, endpoints: [] };
      const node = store.get(nodes, "", pod.spec?.nodeName ?? "") as Node | undefined;
      group.endpoints.push(endpointOf(service, pod, node));
      groups.set(key, group);
    }
    const all = [...groups.values()].flatMap(({ ports, endpoints }) => {
      const slices = [];
      for (let i = 0; i < endpoints.length; i += perSlice) {
        slices.push({ ports, endpoints: endpoints.slice(i, i + perSlice) });
      }
      return slices;
    });
    // A Service without Pods has one empty slice.
    return all.length > 0 ? all : [{ ports: [], endpoints: [] }];
  }

  private write(service: Service, ports: ServicePort[], endpoints: Endpoint[], slice: EndpointSlice | undefined): void {
    const { api, as } = this.context;
    const { name, namespace, uid } = service.metadata;
    const headless = service.spec?.clusterIP === "None";
    const labels = {
      ...service.metadata.labels,
      ...(headless ? { "service.kubernetes.io/headless": "" } : {}),
      "endpointslice.kubernetes.io/managed-by": manager,
      "kubernetes.io/service-name": name!,
    };
    const content = { addressType: "IPv4", endpoints, ports };
    if (slice === undefined) {
      const owner = { apiVersion: "v1", kind: "Service", name, uid, controller: true, blockOwnerDeletion: true };
      const metadata = { generateName: `${name}-`, namespace, labels, ownerReferences: [owner] };
      const body = { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", metadata, ...content };
      unless(["NotFound", "Forbidden"], () => api.create({ ...endpointSlices, namespace: namespace! }, body, as));
      return;
    }
    const same =
      equal(slice.endpoints ?? [], endpoints) &&
      equal(withoutNames(slice.ports), withoutNames(ports)) &&
      equal(slice.metadata.labels, labels);
    if (same) return;
    const target = { ...endpointSlices, namespace: namespace!, name: slice.metadata.name! };
    const body = { ...slice, metadata: { ...slice.metadata, labels }, ...content };
    unless(["NotFound", "Conflict"], () => api.update(target, body, as));
  }

  private remove(slice: EndpointSlice): void {
    const { api, as } = this.context;
    const { namespace, name } = slice.metadata;
    unless(["NotFound"], () => api.delete({ ...endpointSlices, namespace: namespace!, name: name! }, {}, as));
  }
}

function external(service: Service): boolean {
  return service.spec?.type === "ExternalName";
}

/** Ports for comparison: the server gives an absent name as an empty one. */
function withoutNames(ports: { name?: string; port?: number | undefined; protocol?: string }[] | undefined) {
  return (ports ?? []).map((p) => ({ name: p.name ?? "", port: p.port, protocol: p.protocol ?? "TCP" }));
}
