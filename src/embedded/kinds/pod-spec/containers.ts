import type { V1Container, V1ContainerPort, V1EphemeralContainer, V1PodSpec } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../api/field-error.ts";
import { portNameErrors, portNumberErrors } from "../../api/names.ts";
import type { Wire } from "../../api/object.ts";
import { oneOf, requiredLabel } from "../fields/names.ts";
import { validateEnv, validateEnvFrom } from "./environment.ts";
import { type Volumes, validateVolumeDevices, validateVolumeMounts } from "./mounts.ts";
import { type ProbeName, validateLifecycle, validateProbe } from "./probes.ts";
import { validateResources } from "./resources.ts";
import { validateSecurityContext } from "./security-context.ts";

type PodSpec = Wire<V1PodSpec>;
type Container = Wire<V1Container>;
type EphemeralContainer = Wire<V1EphemeralContainer>;

const pullPolicies = ["Always", "IfNotPresent", "Never"];
const messagePolicies = ["File", "FallbackToLogsOnError"];
const protocols = ["SCTP", "TCP", "UDP"];
const restartPolicies = ["Always", "Never", "OnFailure"];
const probeNames: ProbeName[] = ["livenessProbe", "readinessProbe", "startupProbe"];

/** All containers of a Pod: regular, init (sidecars among them) and ephemeral ones. */
export function validateAllContainers(spec: PodSpec, volumes: Volumes, path: string): FieldError[] {
  return [
    ...validateContainers(spec, volumes, `${path}.containers`),
    ...validateInitContainers(spec, volumes, `${path}.initContainers`),
    ...validateEphemeralContainers(spec, volumes, `${path}.ephemeralContainers`),
  ];
}

function validateContainers(spec: PodSpec, volumes: Volumes, path: string): FieldError[] {
  const containers = spec.containers ?? [];
  if (containers.length === 0) return [fieldError.required(path)];
  const names = new Set<string>();
  const errors = containers.flatMap((container, i) => {
    const at = `${path}[${i}]`;
    const found = validateCommon(container, spec, volumes, at);
    if (names.has(container.name)) found.push(fieldError.duplicate(`${at}.name`, container.name));
    names.add(container.name);
    return [
      ...found,
      ...validateLifecycle(container.lifecycle, spec.terminationGracePeriodSeconds, `${at}.lifecycle`),
      ...validateProbes(container, spec, at),
      ...restartPolicy(container, at),
    ];
  });
  return [...errors, ...hostPortConflicts(containers, path)];
}

function validateInitContainers(spec: PodSpec, volumes: Volumes, path: string): FieldError[] {
  const names = new Set((spec.containers ?? []).map((c) => c.name));
  return (spec.initContainers ?? []).flatMap((container, i) => {
    const at = `${path}[${i}]`;
    const errors = [...validateCommon(container, spec, volumes, at), ...restartPolicy(container, at)];
    if (names.has(container.name)) errors.push(fieldError.duplicate(`${at}.name`, container.name));
    names.add(container.name);
    errors.push(...hostPortConflicts([container], path));
    if (container.restartPolicy === "Always") {
      errors.push(...validateLifecycle(container.lifecycle, spec.terminationGracePeriodSeconds, `${at}.lifecycle`));
      return [...errors, ...validateProbes(container, spec, at)];
    }
    for (const field of ["lifecycle", ...probeNames] as const) {
      if (container[field] !== undefined) {
        errors.push(
          fieldError.forbidden(`${at}.${field}`, "may not be set for init containers without restartPolicy=Always"),
        );
      }
    }
    return errors;
  });
}

function validateEphemeralContainers(spec: PodSpec, volumes: Volumes, path: string): FieldError[] {
  const others = new Set([...(spec.containers ?? []), ...(spec.initContainers ?? [])].map((c) => c.name));
  const names = new Set(others);
  const forbidden = ["ports", "resources", "livenessProbe", "readinessProbe", "startupProbe", "lifecycle"] as const;
  return (spec.ephemeralContainers ?? []).flatMap((container, i) => {
    const at = `${path}[${i}]`;
    const errors = [...validateCommon(container, spec, volumes, at), ...validateImageBlanks(container, at)];
    if (names.has(container.name)) errors.push(fieldError.duplicate(`${at}.name`, container.name));
    names.add(container.name);
    const target = container.targetContainerName;
    if (target && !others.has(target)) errors.push(fieldError.notFound(`${at}.targetContainerName`, target));
    for (const field of forbidden) {
      const value = container[field];
      if (value !== undefined && Object.keys(value).length > 0) {
        errors.push(fieldError.forbidden(`${at}.${field}`, "cannot be set for an Ephemeral Container"));
      }
    }
    for (const [j, mount] of (container.volumeMounts ?? []).entries()) {
      for (const field of ["subPath", "subPathExpr"] as const) {
        if (mount[field]) {
          errors.push(
            fieldError.forbidden(`${at}.volumeMounts[${j}].${field}`, "cannot be set for an Ephemeral Container"),
          );
        }
      }
    }
    return errors;
  });
}

function validateCommon(
  container: Container | EphemeralContainer,
  spec: PodSpec,
  volumes: Volumes,
  at: string,
): FieldError[] {
  return [
    ...requiredLabel(container.name, `${at}.name`),
    ...(container.image ? [] : [fieldError.required(`${at}.image`)]),
    ...oneOf(container.terminationMessagePolicy, `${at}.terminationMessagePolicy`, messagePolicies),
    ...validatePorts(container.ports, `${at}.ports`),
    ...validateEnv(container.env, `${at}.env`),
    ...validateEnvFrom(container.envFrom, `${at}.envFrom`),
    ...validateVolumeMounts(container, volumes, `${at}.volumeMounts`),
    ...validateVolumeDevices(container, volumes, `${at}.volumeDevices`),
    ...oneOf(container.imagePullPolicy, `${at}.imagePullPolicy`, pullPolicies),
    ...validateResources(container.resources, `${at}.resources`),
    ...validateResizePolicy(container, spec, `${at}.resizePolicy`),
    ...validateSecurityContext(container.securityContext, spec.hostUsers !== false, `${at}.securityContext`),
  ];
}

/** Of a Pod (a template may have them): an image without blanks around it. */
export function validateImageBlanks(container: { image?: string }, at: string): FieldError[] {
  const image = container.image ?? "";
  return image === image.trim()
    ? []
    : [fieldError.invalid(`${at}.image`, image, "must not have leading or trailing whitespace")];
}

function validatePorts(ports: Wire<V1ContainerPort>[] | undefined, path: string): FieldError[] {
  const names = new Set<string>();
  return (ports ?? []).flatMap((port, i) => {
    const at = `${path}[${i}]`;
    const errors: FieldError[] = [];
    if (port.name) {
      const wrong = portNameErrors(port.name);
      errors.push(...wrong.map((e) => fieldError.invalid(`${at}.name`, port.name, e)));
      if (wrong.length === 0 && names.has(port.name)) errors.push(fieldError.duplicate(`${at}.name`, port.name));
      names.add(port.name);
    }
    if (!port.containerPort) errors.push(fieldError.required(`${at}.containerPort`));
    else errors.push(...portNumber(port.containerPort, `${at}.containerPort`));
    if (port.hostPort) errors.push(...portNumber(port.hostPort, `${at}.hostPort`));
    return [...errors, ...oneOf(port.protocol, `${at}.protocol`, protocols)];
  });
}

function portNumber(port: number, at: string): FieldError[] {
  return portNumberErrors(port).map((e) => fieldError.invalid(at, port, e));
}

function validateProbes(container: Container, spec: PodSpec, at: string): FieldError[] {
  return probeNames.flatMap((name) =>
    validateProbe(container[name], name, spec.terminationGracePeriodSeconds, `${at}.${name}`),
  );
}

function restartPolicy(container: Container, at: string): FieldError[] {
  const policy = container.restartPolicy;
  return policy === undefined || restartPolicies.includes(policy)
    ? []
    : [fieldError.notSupported(`${at}.restartPolicy`, policy, restartPolicies)];
}

function validateResizePolicy(container: Container | EphemeralContainer, spec: PodSpec, path: string): FieldError[] {
  const seen = new Set<string>();
  return (container.resizePolicy ?? []).flatMap((policy, i) => {
    const errors: FieldError[] = [];
    if (seen.has(policy.resourceName)) errors.push(fieldError.duplicate(`${path}[${i}]`, policy.resourceName));
    seen.add(policy.resourceName);
    errors.push(...oneOf(policy.resourceName, path, ["cpu", "memory"]));
    errors.push(...oneOf(policy.restartPolicy, path, ["NotRequired", "RestartContainer"]));
    if (spec.restartPolicy === "Never" && policy.restartPolicy !== "NotRequired") {
      errors.push(
        fieldError.invalid(path, policy.restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"),
      );
    }
    return errors;
  });
}

function hostPortConflicts(containers: Container[], path: string): FieldError[] {
  const taken = new Set<string>();
  return containers.flatMap((container, i) =>
    (container.ports ?? []).flatMap((port, j) => {
      if (!port.hostPort) return [];
      const key = `${port.protocol}/${port.hostIP ?? ""}/${port.hostPort}`;
      if (taken.has(key)) return [fieldError.duplicate(`${path}[${i}].ports[${j}].hostPort`, key)];
      taken.add(key);
      return [];
    }),
  );
}
