import type { V1PodSpec, V1PodTemplateSpec } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../api/field-error.ts";
import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type NameCheck,
  qualifiedNameErrors,
  rangeMessage,
} from "../../api/names.ts";
import type { Wire } from "../../api/object.ts";
import { annotations, labels, sortedEntries } from "../fields/labels.ts";
import { named, oneOf } from "../fields/names.ts";
import { validateAffinity } from "./affinity.ts";
import { validateAllContainers } from "./containers.ts";
import { validateResourceName, validateResourceQuantity } from "./resources.ts";
import { validatePodSecurityContext } from "./security-context.ts";
import { validateTolerations } from "./tolerations.ts";
import { validateTopologySpread } from "./topology-spread.ts";
import { validateVolumes } from "./volumes.ts";

type PodSpec = Wire<V1PodSpec>;
type PodTemplate = Wire<V1PodTemplateSpec>;

/** A Pod's spec, or that of a template, in the order in which the server looks at it. */
export function validatePodSpec(spec: PodSpec, path: string, isPod = false): FieldError[] {
  const volumes = validateVolumes(spec.volumes, `${path}.volumes`);
  return [
    ...(spec.terminationGracePeriodSeconds === undefined
      ? [fieldError.required(`${path}.terminationGracePeriodSeconds`)]
      : []),
    ...volumes.errors,
    ...validateAllContainers(spec, volumes.valid, path),
    ...validateHostNetworkPorts(spec, path, isPod),
    ...oneOf(spec.restartPolicy, `${path}.restartPolicy`, ["Always", "OnFailure", "Never"]),
    ...oneOf(spec.dnsPolicy, `${path}.dnsPolicy`, ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"]),
    ...labels(spec.nodeSelector, `${path}.nodeSelector`),
    ...validatePodSecurityContext(spec.securityContext, spec, `${path}.securityContext`),
    ...validateAffinity(spec.affinity, `${path}.affinity`),
    ...validateDnsConfig(spec, path),
    ...(spec.readinessGates ?? []).flatMap((gate, i) =>
      named(gate.conditionType, `${path}.readinessGates[${i}].conditionType`, qualifiedNameErrors),
    ),
    ...validateSchedulingGates(spec, path),
    ...validateTopologySpread(spec.topologySpreadConstraints, `${path}.topologySpreadConstraints`),
    ...ifGiven(spec.serviceAccountName, `${path}.serviceAccountName`, dns1123SubdomainErrors),
    ...ifGiven(spec.nodeName, `${path}.nodeName`, dns1123SubdomainErrors),
    ...validateDeadline(spec.activeDeadlineSeconds, `${path}.activeDeadlineSeconds`),
    ...ifGiven(spec.hostname, `${path}.hostname`, dns1123LabelErrors),
    ...ifGiven(spec.subdomain, `${path}.subdomain`, dns1123LabelErrors),
    ...validateTolerations(spec.tolerations, `${path}.tolerations`),
    ...(spec.hostAliases ?? []).flatMap((alias, i) =>
      (alias.hostnames ?? []).flatMap((h, j) =>
        named(h, `${path}.hostAliases[${i}].hostnames[${j}]`, dns1123SubdomainErrors),
      ),
    ),
    ...ifGiven(spec.priorityClassName, `${path}.priorityClassName`, dns1123SubdomainErrors),
    ...ifGiven(spec.runtimeClassName, `${path}.runtimeClassName`, dns1123SubdomainErrors),
    ...(spec.preemptionPolicy === undefined
      ? []
      : oneOf(spec.preemptionPolicy, `${path}.preemptionPolicy`, ["PreemptLowerPriority", "Never"])),
    ...sortedEntries(spec.overhead).flatMap(([name, text]) => [
      ...validateResourceName(name, `${path}.overhead.limits[${name}]`),
      ...validateResourceQuantity(name, text, `${path}.overhead.limits[${name}]`),
    ]),
    ...(spec.os ? oneOf(spec.os.name, `${path}.os.name`, ["linux", "windows"]) : []),
  ];
}

/** The template of a controller: labels, annotations and spec. */
export function validatePodTemplate(template: PodTemplate | undefined, path: string): FieldError[] {
  const spec = template?.spec ?? ({ containers: [] } as PodSpec);
  return [
    ...labels(template?.metadata?.labels, `${path}.labels`),
    ...annotations(template?.metadata?.annotations, `${path}.annotations`),
    ...validatePodSpec(spec, `${path}.spec`),
    ...((spec.ephemeralContainers ?? []).length > 0
      ? [fieldError.forbidden(`${path}.spec.ephemeralContainers`, "ephemeral containers not allowed in pod template")]
      : []),
  ];
}

function ifGiven(value: string | undefined, at: string, check: NameCheck): FieldError[] {
  return value ? named(value, at, check) : [];
}

function validateDeadline(seconds: number | undefined, at: string): FieldError[] {
  const most = 2 ** 31 - 1;
  return seconds === undefined || (seconds >= 1 && seconds <= most)
    ? []
    : [fieldError.invalid(at, seconds, rangeMessage(1, most))];
}

function validateHostNetworkPorts(spec: PodSpec, path: string, isPod: boolean): FieldError[] {
  if (!spec.hostNetwork) return [];
  return (spec.containers ?? []).flatMap((container, i) =>
    (container.ports ?? []).flatMap((port, j) => {
      const hostPort = port.hostPort ?? 0;
      if (hostPort === port.containerPort || (hostPort === 0 && !isPod)) return [];
      return [
        fieldError.invalid(
          `${path}.containers[${i}].ports[${j}].hostPort`,
          hostPort,
          "must match `containerPort` when `hostNetwork` is true",
        ),
      ];
    }),
  );
}

function validateDnsConfig(spec: PodSpec, path: string): FieldError[] {
  const config = spec.dnsConfig;
  const at = `${path}.dnsConfig`;
  const nameservers = config?.nameservers ?? [];
  if (spec.dnsPolicy === "None") {
    if (!config) return [fieldError.required(at, "must provide `dnsConfig` when `dnsPolicy` is None")];
    if (nameservers.length === 0) {
      return [
        fieldError.required(`${at}.nameservers`, "must provide at least one DNS nameserver when `dnsPolicy` is None"),
      ];
    }
  }
  const searches = config?.searches ?? [];
  const errors: FieldError[] = [];
  if (nameservers.length > 3) {
    errors.push(fieldError.invalid(`${at}.nameservers`, nameservers, "must not have more than 3 nameservers"));
  }
  if (searches.length > 32) {
    errors.push(fieldError.invalid(`${at}.searches`, searches, "must not have more than 32 search paths"));
  }
  for (const [i, option] of (config?.options ?? []).entries()) {
    if (!option.name) errors.push(fieldError.required(`${at}.options[${i}]`, "must not be empty"));
  }
  return errors;
}

function validateSchedulingGates(spec: PodSpec, path: string): FieldError[] {
  const seen = new Set<string>();
  return (spec.schedulingGates ?? []).flatMap(({ name }, i) => {
    const at = `${path}.schedulingGates[${i}]`;
    const errors = named(name, at, qualifiedNameErrors);
    if (seen.has(name)) errors.push(fieldError.duplicate(at, name));
    seen.add(name);
    return errors;
  });
}
