import { rfc3339 } from "../../api/clock.ts";
import { equal } from "../../api/object.ts";
import { isPodReady } from "../../api/pod.ts";
import { backends, type Service } from "../endpointslice/service-endpoints.ts";
import { ServiceBasedController } from "../endpointslice/service-watch.ts";
import { splitKey } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { endpoints, pods, services } from "../framework/resources.ts";

const managedLabel = "endpoints.kubernetes.io/managed-by";

interface Subset {
  addresses?: object[];
  notReadyAddresses?: object[];
  ports?: object[];
}

/** Keeps the (deprecated) Endpoints object of each Service with a selector. */
export class EndpointsController extends ServiceBasedController {
  readonly name = "endpoint-controller";

  protected sync(key: string): void {
    const { store, api, as, clock } = this.context;
    const { namespace, name } = splitKey(key);
    const service = store.get(services, namespace, name) as Service | undefined;
    const existing = store.get(endpoints, namespace, name);
    const target = { ...endpoints, namespace, name };
    if (service === undefined) {
      // Only what this controller made goes with its Service.
      if (existing) unless(["NotFound"], () => api.delete(target, {}, as));
      return;
    }
    if (!service.spec?.selector || Object.keys(service.spec.selector).length === 0) return;
    const subsets = this.subsets(service);
    const labels: Record<string, string> = { ...service.metadata.labels, [managedLabel]: "endpoint-controller" };
    if (service.spec.clusterIP === "None") labels["service.kubernetes.io/headless"] = "";
    if (existing && equal(existing["subsets"] ?? [], subsets) && equal(existing.metadata.labels, labels)) return;
    const annotations = {
      ...existing?.metadata.annotations,
      "endpoints.kubernetes.io/last-change-trigger-time": rfc3339(clock.now()),
    };
    const metadata = { ...existing?.metadata, name, namespace, labels, annotations };
    const body = { apiVersion: "v1", kind: "Endpoints", metadata, ...(subsets.length > 0 ? { subsets } : {}) };
    if (existing) unless(["NotFound", "Conflict"], () => api.update(target, body, as));
    else unless(["AlreadyExists", "NotFound", "Forbidden"], () => api.create(target, body, as));
  }

  private subsets(service: Service): Subset[] {
    const groups = new Map<string, { ready: object[]; unready: object[]; ports: object[] }>();
    for (const { pod, ports } of backends(service, this.context.store.list(pods, service.metadata.namespace))) {
      const include = service.spec?.publishNotReadyAddresses === true;
      if (pod.metadata.deletionTimestamp && !include) continue;
      const shown = ports.map(({ name, ...rest }) => (name === "" ? rest : { name, ...rest }));
      const key = JSON.stringify(shown);
      const group = groups.get(key) ?? { ready: [], unready: [], ports: shown };
      groups.set(key, group);
      const named = pod.spec?.hostname && pod.spec.subdomain === service.metadata.name;
      const { name, namespace, uid } = pod.metadata;
      const address = {
        ...(named ? { hostname: pod.spec!.hostname } : {}),
        ip: pod.status!.podIP!,
        ...(pod.spec?.nodeName ? { nodeName: pod.spec.nodeName } : {}),
        targetRef: { kind: "Pod", name, namespace, uid },
      };
      if (include || isPodReady(pod)) group.ready.push(address);
      else group.unready.push(address);
    }
    const byIp = (a: object, b: object) => compareIps((a as { ip: string }).ip, (b as { ip: string }).ip);
    return [...groups.values()].map(({ ready, unready, ports }) => ({
      ...(ready.length > 0 ? { addresses: ready.sort(byIp) } : {}),
      ...(unready.length > 0 ? { notReadyAddresses: unready.sort(byIp) } : {}),
      ...(ports.length > 0 ? { ports } : {}),
    }));
  }
}

function compareIps(a: string, b: string): number {
  const value = (ip: string) => ip.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  return value(a) - value(b);
}
