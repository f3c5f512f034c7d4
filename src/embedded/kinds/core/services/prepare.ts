import type { V1Service } from "@kubernetes/client-node";
import { equal } from "../../../api/object.ts";
import type { StrategyContext } from "../../../registry/strategy.ts";
import type { Kind } from "../../define.ts";
import { keep } from "../../fields/generation.ts";
import { allocate, needsClusterIP, needsNodePort } from "./allocation.ts";

type Service = Kind<V1Service>;

export function prepareForCreate(service: Service, context: StrategyContext): void {
  service.status = { loadBalancer: {} };
  pairAddresses(service, undefined);
  allocate(service, context);
}

export function prepareForUpdate(service: Service, old: Service, context: StrategyContext): void {
  keep(service, old, "status");
  keepAllocated(service, old);
  pairAddresses(service, old);
  dropUnneeded(service, old);
  allocate(service, context);
}

/** clusterIP is the first of clusterIPs; a client may change either. */
function pairAddresses({ spec }: Service, old: Service | undefined): void {
  if (!spec) return;
  const changedFirst = spec.clusterIP !== old?.spec?.clusterIP;
  const changedList = !equal(spec.clusterIPs ?? [], old?.spec?.clusterIPs ?? []);
  if (spec.clusterIP && (spec.clusterIPs === undefined || (old && changedFirst && !changedList))) {
    spec.clusterIPs = [spec.clusterIP];
  }
  if (old && changedFirst && !spec.clusterIP && !changedList) delete spec.clusterIPs;
}

/** A client that leaves out what was allocated keeps it: `kubectl replace` of the original manifest. */
function keepAllocated(service: Service, old: Service): void {
  const spec = service.spec;
  const was = old.spec;
  if (!spec || !was) return;
  if (needsClusterIP(old) && needsClusterIP(service) && !spec.clusterIP && !spec.clusterIPs?.length) {
    if (was.clusterIP) spec.clusterIP = was.clusterIP;
    if (was.clusterIPs) spec.clusterIPs = [...was.clusterIPs];
  }
  if (needsNodePort(old) && needsNodePort(service)) {
    for (const port of spec.ports ?? []) {
      const before = was.ports?.find((p) => p.port === port.port && p.protocol === port.protocol);
      if (!port.nodePort && before?.nodePort) port.nodePort = before.nodePort;
    }
    if (!spec.healthCheckNodePort && was.healthCheckNodePort) spec.healthCheckNodePort = was.healthCheckNodePort;
  }
  spec.ipFamilyPolicy ??= was.ipFamilyPolicy;
  spec.ipFamilies ??= was.ipFamilies;
}

/** What another type of Service has no use for goes, unless the client changed it. */
function dropUnneeded(service: Service, old: Service): void {
  const spec = service.spec;
  const was = old.spec;
  if (!spec || !was) return;
  if (needsClusterIP(old) && !needsClusterIP(service)) {
    if (spec.clusterIP === was.clusterIP) {
      delete spec.clusterIP;
      delete spec.clusterIPs;
    }
    if (equal(spec.ipFamilies, was.ipFamilies)) delete spec.ipFamilies;
    if (spec.ipFamilyPolicy === was.ipFamilyPolicy) delete spec.ipFamilyPolicy;
  }
  if (needsNodePort(old) && !needsNodePort(service)) {
    const ports = (ports: typeof spec.ports) => (ports ?? []).map((p) => p.nodePort ?? 0).filter((p) => p !== 0);
    if (ports(spec.ports).every((p) => ports(was.ports).includes(p))) {
      for (const port of spec.ports ?? []) delete port.nodePort;
    }
  }
  const isLocal = spec.type === "LoadBalancer" && spec.externalTrafficPolicy === "Local";
  if (!isLocal && spec.healthCheckNodePort === was.healthCheckNodePort) delete spec.healthCheckNodePort;
  if (was.type === "LoadBalancer" && spec.type !== "LoadBalancer") {
    if (spec.allocateLoadBalancerNodePorts === was.allocateLoadBalancerNodePorts) {
      delete spec.allocateLoadBalancerNodePorts;
    }
    if (spec.loadBalancerClass === was.loadBalancerClass) delete spec.loadBalancerClass;
  }
  const external = spec.type === "LoadBalancer" || spec.type === "NodePort" || (spec.externalIPs ?? []).length > 0;
  if (!external && spec.externalTrafficPolicy === was.externalTrafficPolicy) delete spec.externalTrafficPolicy;
}
