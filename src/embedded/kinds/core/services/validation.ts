import type { V1Service, V1ServicePort } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  portNumberErrors,
  qualifiedNameErrors,
} from "../../../api/names.ts";
import { equal, type Wire } from "../../../api/object.ts";
import type { StrategyContext } from "../../../registry/strategy.ts";
import type { Kind } from "../../define.ts";
import { cidr, ipAddress } from "../../fields/addresses.ts";
import { labels } from "../../fields/labels.ts";
import { named, oneOf } from "../../fields/names.ts";
import { portNumberOrName } from "../../fields/numbers.ts";
import { isHeadless, needsClusterIP, validateAllocation } from "./allocation.ts";

type Service = Kind<V1Service>;
type Port = Wire<V1ServicePort>;

const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];

export function validate(service: Service, context: StrategyContext): FieldError[] {
  const spec = service.spec;
  if (!spec) return [];
  // Addresses and ports are given out first, and a failure there ends it.
  const old = context.get("", "services", service.metadata.namespace ?? "", service.metadata.name ?? "") as
    | Service
    | undefined;
  const allocation = validateAllocation(service, old, context);
  if (allocation.length > 0) return allocation;
  const ports = spec.ports ?? [];
  const headless = isHeadless(service);
  const external = spec.type === "LoadBalancer" || spec.type === "NodePort" || (spec.externalIPs ?? []).length > 0;
  return [
    ...(ports.length === 0 && !headless && spec.type !== "ExternalName" ? [fieldError.required("spec.ports")] : []),
    ...validateByType(service),
    ...validatePorts(ports),
    ...labels(spec.selector, "spec.selector"),
    ...oneOf(spec.sessionAffinity, "spec.sessionAffinity", ["ClientIP", "None"]),
    ...validateAffinityTimeout(service),
    ...validateClusterIPs(service),
    ...(spec.externalIPs ?? []).flatMap((ip, i) => ipAddress(ip, `spec.externalIPs[${i}]`)),
    ...oneOf(spec.type, "spec.type", types),
    ...(spec.type === "ClusterIP"
      ? ports.flatMap((port, i) =>
          port.nodePort
            ? [fieldError.forbidden(`spec.ports[${i}].nodePort`, "may not be used when `type` is 'ClusterIP'")]
            : [],
        )
      : []),
    ...duplicatePorts(ports),
    ...(spec.loadBalancerSourceRanges ?? []).flatMap((range, i) => [
      ...(i === 0 && spec.type !== "LoadBalancer"
        ? [fieldError.forbidden("spec.LoadBalancerSourceRanges", "may only be used when `type` is 'LoadBalancer'")]
        : []),
      ...cidr(range.trim(), `spec.LoadBalancerSourceRanges[${i}]`),
    ]),
    ...(spec.allocateLoadBalancerNodePorts !== undefined && spec.type !== "LoadBalancer"
      ? [fieldError.forbidden("spec.allocateLoadBalancerNodePorts", "may only be used when `type` is 'LoadBalancer'")]
      : []),
    ...(spec.loadBalancerClass !== undefined && spec.type !== "LoadBalancer"
      ? [fieldError.forbidden("spec.loadBalancerClass", "may only be used when `type` is 'LoadBalancer'")]
      : []),
    ...validateTrafficPolicies(service, external),
  ];
}

function validateByType(service: Service): FieldError[] {
  const spec = service.spec;
  if (spec?.type === "LoadBalancer" || spec?.type === "NodePort") {
    return isHeadless(service)
      ? [fieldError.invalid("spec.clusterIPs[0]", "None", `may not be set to 'None' for ${spec.type} services`)]
      : [];
  }
  if (spec?.type !== "ExternalName") return [];
  const why = "may not be set for ExternalName services";
  const name = (spec.externalName ?? "").replace(/\.$/, "");
  return [
    ...((spec.clusterIPs ?? []).length > 0 ? [fieldError.forbidden("spec.clusterIPs", why)] : []),
    ...((spec.ipFamilies ?? []).length > 0 ? [fieldError.forbidden("spec.ipFamilies", why)] : []),
    ...(spec.ipFamilyPolicy !== undefined ? [fieldError.forbidden("spec.ipFamilyPolicy", why)] : []),
    ...(name === ""
      ? [fieldError.required("spec.externalName")]
      : named(name, "spec.externalName", dns1123SubdomainErrors)),
  ];
}

function validatePorts(ports: Port[]): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, i) => {
    const at = `spec.ports[${i}]`;
    const errors: FieldError[] = [];
    if (port.name) {
      errors.push(...named(port.name, `${at}.name`, dns1123LabelErrors));
      if (names.has(port.name)) errors.push(fieldError.duplicate(`${at}.name`, port.name));
      names.add(port.name);
    } else if (ports.length > 1) {
      errors.push(fieldError.required(`${at}.name`));
    }
    errors.push(...portNumberErrors(port.port).map((e) => fieldError.invalid(`${at}.port`, port.port, e)));
    errors.push(...oneOf(port.protocol, `${at}.protocol`, ["SCTP", "TCP", "UDP"]));
    errors.push(...portNumberOrName(port.targetPort as number | string | undefined, `${at}.targetPort`));
    if (port.appProtocol !== undefined) {
      errors.push(...named(port.appProtocol, `${at}.appProtocol`, qualifiedNameErrors));
    }
    return errors;
  });
}

function duplicatePorts(ports: Port[]): FieldError[] {
  const nodePorts = new Set<string>();
  const numbers = new Set<string>();
  const errors: FieldError[] = [];
  for (const [i, port] of ports.entries()) {
    const key = `${port.protocol}/${port.nodePort}`;
    if (port.nodePort && nodePorts.has(key)) {
      errors.push(fieldError.duplicate(`spec.ports[${i}].nodePort`, port.nodePort));
    }
    nodePorts.add(key);
  }
  for (const [i, port] of ports.entries()) {
    const key = `${port.protocol}/${port.port}`;
    if (numbers.has(key)) {
      const internal = {
        Name: "",
        Protocol: port.protocol,
        AppProtocol: null,
        Port: port.port,
        TargetPort: 0,
        NodePort: 0,
      };
      errors.push(fieldError.duplicate(`spec.ports[${i}]`, internal));
    }
    numbers.add(key);
  }
  return errors;
}

function validateAffinityTimeout({ spec }: Service): FieldError[] {
  if (spec?.sessionAffinity !== "ClientIP") return [];
  const seconds = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? 0;
  return seconds > 0 && seconds <= 86_400
    ? []
    : [
        fieldError.invalid(
          "spec.sessionAffinityConfig.clientIP.timeoutSeconds",
          seconds,
          "must be greater than 0 and less than 86400",
        ),
      ];
}

function validateClusterIPs(service: Service): FieldError[] {
  const spec = service.spec;
  if (!spec || !needsClusterIP(service)) return [];
  const list = spec.clusterIPs ?? [];
  const errors: FieldError[] = [];
  if (spec.clusterIP && list[0] !== spec.clusterIP) {
    errors.push(fieldError.invalid("spec.clusterIPs", list, "first value must match `clusterIP`"));
  }
  for (const [i, family] of (spec.ipFamilies ?? []).entries()) {
    if (family !== "IPv4" && family !== "IPv6") {
      errors.push(fieldError.notSupported(`spec.ipFamilies[${i}]`, family, ["IPv4", "IPv6"]));
    }
    if (spec.ipFamilies?.indexOf(family) !== i) errors.push(fieldError.duplicate(`spec.ipFamilies[${i}]`, family));
  }
  const policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];
  if (spec.ipFamilyPolicy !== undefined && !policies.includes(spec.ipFamilyPolicy)) {
    errors.push(fieldError.notSupported("spec.ipFamilyPolicy", spec.ipFamilyPolicy, policies));
  }
  if (isHeadless(service)) {
    if (list.length > 1) {
      errors.push(fieldError.invalid("spec.clusterIPs", list, "'None' must be the first and only value"));
    }
    return errors;
  }
  return [...errors, ...list.flatMap((ip, i) => ipAddress(ip, `spec.clusterIPs[${i}]`))];
}

function validateTrafficPolicies({ spec }: Service, external: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (!external) {
    if (spec?.externalTrafficPolicy) {
      errors.push(
        fieldError.invalid(
          "spec.externalTrafficPolicy",
          spec.externalTrafficPolicy,
          "may only be set for externally-accessible services",
        ),
      );
    }
  } else {
    errors.push(...oneOf(spec?.externalTrafficPolicy, "spec.externalTrafficPolicy", ["Cluster", "Local"]));
  }
  const needsHealthCheck = spec?.type === "LoadBalancer" && spec.externalTrafficPolicy === "Local";
  if (!needsHealthCheck && spec?.healthCheckNodePort) {
    errors.push(
      fieldError.invalid(
        "spec.healthCheckNodePort",
        spec.healthCheckNodePort,
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ),
    );
  }
  const internal = spec?.internalTrafficPolicy;
  if (internal !== undefined && internal !== "Cluster" && internal !== "Local") {
    errors.push(fieldError.notSupported("spec.internalTrafficPolicy", internal, ["Cluster", "Local"]));
  }
  return errors;
}

/** An address once given is kept. */
export function validateUpdate(service: Service, old: Service): FieldError[] {
  if (!needsClusterIP(service) || !needsClusterIP(old)) return [];
  const list = service.spec?.clusterIPs ?? [];
  const was = old.spec?.clusterIPs ?? [];
  if ((isHeadless(service) && isHeadless(old)) || equal(list, was)) return [];
  if (list.length === 0) {
    return [fieldError.invalid("spec.clusterIPs[0]", list, "primary clusterIP can not be unset")];
  }
  return was[0] !== undefined && list[0] !== was[0]
    ? [fieldError.invalid("spec.clusterIPs[0]", list, "may not change once set")]
    : [];
}
