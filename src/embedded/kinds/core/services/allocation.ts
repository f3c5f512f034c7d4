import type { V1Service } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import type { StrategyContext } from "../../../registry/strategy.ts";
import type { Kind } from "../../define.ts";

type Service = Kind<V1Service>;

/** 10.96.0.0/16 and 30000-32767, as kubeadm and the API server have them by default. */
const serviceNetwork = { cidr: "10.96.0.0/16", base: ipNumber("10.96.0.0"), size: 65_536 };
const nodePorts = { first: 30_000, last: 32_767 };
/** The lower part of each range is left to clients that choose for themselves (KEP-3070, KEP-3668). */
const staticAddresses = 256;
const staticNodePorts = 86;

export function needsClusterIP({ spec }: Service): boolean {
  return spec?.type !== "ExternalName";
}

export function needsNodePort({ spec }: Service): boolean {
  return spec?.type === "NodePort" || (spec?.type === "LoadBalancer" && spec.allocateLoadBalancerNodePorts !== false);
}

export function isHeadless({ spec }: Service): boolean {
  return spec?.clusterIP === "None";
}

/** Gives a Service what it needs and does not have: address families, cluster addresses and node ports. */
export function allocate(service: Service, context: StrategyContext): void {
  const spec = service.spec;
  if (!spec) return;
  const others = otherServices(service, context);
  if (needsClusterIP(service)) {
    setFamilies(service);
    if (!spec.clusterIP) spec.clusterIP = freeAddress(service, others);
    spec.clusterIPs ??= [spec.clusterIP];
    if (spec.clusterIPs.length === 0) spec.clusterIPs = [spec.clusterIP];
  }
  if (!needsNodePort(service)) return;
  const taken = takenNodePorts(others);
  for (const port of spec.ports ?? []) {
    port.nodePort ||= freeNodePort(service, taken);
    taken.add(port.nodePort);
  }
  if (spec.type === "LoadBalancer" && spec.externalTrafficPolicy === "Local") {
    spec.healthCheckNodePort ||= freeNodePort(service, taken);
  }
}

function setFamilies(service: Service): void {
  const spec = service.spec;
  if (!spec) return;
  const selectorless = isHeadless(service) && Object.keys(spec.selector ?? {}).length === 0;
  spec.ipFamilyPolicy ??= selectorless ? "RequireDualStack" : "SingleStack";
  if ((spec.ipFamilies ?? []).length === 0) spec.ipFamilies = ["IPv4"];
  if (selectorless && spec.ipFamilyPolicy !== "SingleStack" && spec.ipFamilies?.length === 1) {
    spec.ipFamilies.push(spec.ipFamilies[0] === "IPv4" ? "IPv6" : "IPv4");
  }
}

/** What a client chose for itself must be in range and free. */
export function validateAllocation(service: Service, old: Service | undefined, context: StrategyContext): FieldError[] {
  const spec = service.spec;
  const others = otherServices(service, context);
  const errors: FieldError[] = [];
  const address = spec?.clusterIP;
  if (address && needsClusterIP(service) && !isHeadless(service) && address !== old?.spec?.clusterIP) {
    const wrong = addressError(address, others);
    if (wrong) {
      errors.push(fieldError.invalid("spec.clusterIPs", spec.clusterIPs, `failed to allocate IP ${address}: ${wrong}`));
    }
  }
  if (!needsNodePort(service)) return errors;
  const taken = takenNodePorts(others);
  for (const [i, port] of (spec?.ports ?? []).entries()) {
    if (!port.nodePort) continue;
    const at = `spec.ports[${i}].nodePort`;
    if (port.nodePort < nodePorts.first || port.nodePort > nodePorts.last) {
      errors.push(
        fieldError.invalid(
          at,
          port.nodePort,
          `provided port is not in the valid range. The range of valid ports is ${nodePorts.first}-${nodePorts.last}`,
        ),
      );
    } else if (taken.has(port.nodePort)) {
      errors.push(fieldError.invalid(at, port.nodePort, "provided port is already allocated"));
    }
  }
  return errors;
}

function addressError(address: string, others: readonly Service[]): string | undefined {
  const offset = ipNumber(address) - serviceNetwork.base;
  if (Number.isNaN(offset)) return undefined;
  if (offset <= 0 || offset >= serviceNetwork.size - 1) {
    return `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${serviceNetwork.cidr}`;
  }
  return others.some((s) => s.spec?.clusterIPs?.includes(address)) ? "provided IP is already allocated" : undefined;
}

function otherServices(service: Service, context: StrategyContext): readonly Service[] {
  const { name, namespace } = service.metadata;
  return (context.list("", "services") as readonly Service[]).filter(
    (other) => other.metadata.name !== name || other.metadata.namespace !== namespace,
  );
}

/** The same Service gets the same address in every cluster that is otherwise alike. */
function freeAddress(service: Service, others: readonly Service[]): string {
  const taken = new Set(others.flatMap((s) => s.spec?.clusterIPs ?? []));
  const count = serviceNetwork.size - staticAddresses - 1;
  const start = spread(service) % count;
  for (let i = 0; i < count; i++) {
    const address = ipText(serviceNetwork.base + staticAddresses + ((start + i) % count));
    if (!taken.has(address)) return address;
  }
  return "";
}

function freeNodePort(service: Service, taken: ReadonlySet<number>): number {
  const first = nodePorts.first + staticNodePorts;
  const count = nodePorts.last - first + 1;
  const start = spread(service) % count;
  for (let i = 0; i < count; i++) {
    const port = first + ((start + i) % count);
    if (!taken.has(port)) return port;
  }
  return 0;
}

function takenNodePorts(services: readonly Service[]): Set<number> {
  return new Set(
    services.flatMap(({ spec }) => [
      ...(spec?.ports ?? []).flatMap((port) => (port.nodePort ? [port.nodePort] : [])),
      ...(spec?.healthCheckNodePort ? [spec.healthCheckNodePort] : []),
    ]),
  );
}

/** FNV-1a of the namespaced name. */
function spread({ metadata }: Service): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`${metadata.namespace}/${metadata.name}`)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash;
}

function ipNumber(address: string): number {
  const parts = address.split(".").map(Number);
  return parts.length === 4 ? parts.reduce((sum, part) => sum * 256 + part, 0) : Number.NaN;
}

function ipText(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");
}
