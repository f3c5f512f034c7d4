import type {
  V1EnvFromSource,
  V1EnvVar,
  V1ObjectFieldSelector,
  V1ResourceFieldSelector,
} from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../api/field-error.ts";
import { configMapKeyErrors, dns1123SubdomainErrors, envVarNameErrors, qualifiedNameErrors } from "../../api/names.ts";
import type { Wire } from "../../api/object.ts";
import { named } from "../fields/names.ts";

const envFieldPaths = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

/** What a downward API volume can show of the Pod. */
export const volumeFieldPaths = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];

const resourceFieldPaths = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];

/** A container's environment variables. */
export function validateEnv(variables: Wire<V1EnvVar>[] | undefined, path: string): FieldError[] {
  return (variables ?? []).flatMap((variable, i) => {
    const at = `${path}[${i}]`;
    const name = variable.name
      ? named(variable.name, `${at}.name`, envVarNameErrors)
      : [fieldError.required(`${at}.name`)];
    return [...name, ...validateValueFrom(variable, `${at}.valueFrom`)];
  });
}

function validateValueFrom(variable: Wire<V1EnvVar>, at: string): FieldError[] {
  const from = variable.valueFrom;
  if (!from) return [];
  const errors: FieldError[] = [];
  if (from.fieldRef) errors.push(...validateFieldRef(from.fieldRef, envFieldPaths, `${at}.fieldRef`));
  if (from.resourceFieldRef) {
    errors.push(...validateResourceFieldRef(from.resourceFieldRef, false, `${at}.resourceFieldRef`));
  }
  if (from.configMapKeyRef) errors.push(...validateKeyRef(from.configMapKeyRef, `${at}.configMapKeyRef`));
  if (from.secretKeyRef) errors.push(...validateKeyRef(from.secretKeyRef, `${at}.secretKeyRef`));
  const sources = Object.values(from).filter((source) => source !== undefined).length;
  if (sources === 0) {
    errors.push(
      fieldError.invalid(
        at,
        "",
        "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`",
      ),
    );
  } else if (variable.value) {
    errors.push(fieldError.invalid(at, "", "may not be specified when `value` is not empty"));
  } else if (sources > 1) {
    errors.push(fieldError.invalid(at, "", "may not have more than one field specified at a time"));
  }
  return errors;
}

function validateKeyRef(ref: { name?: string; key: string }, at: string): FieldError[] {
  return [
    ...named(ref.name ?? "", `${at}.name`, dns1123SubdomainErrors),
    ...(ref.key ? named(ref.key, `${at}.key`, configMapKeyErrors) : [fieldError.required(`${at}.key`)]),
  ];
}

/** A field of the Pod, `metadata.labels['app']` included. */
export function validateFieldRef(
  ref: Wire<V1ObjectFieldSelector>,
  allowed: readonly string[],
  at: string,
): FieldError[] {
  if (!ref.apiVersion) return [fieldError.required(`${at}.apiVersion`)];
  if (!ref.fieldPath) return [fieldError.required(`${at}.fieldPath`)];
  const subscript = /^(.*)\['(.*)'\]$/.exec(ref.fieldPath);
  const base = subscript?.[1] ?? ref.fieldPath;
  const known = [
    ...envFieldPaths,
    ...volumeFieldPaths,
    "spec.host",
    "spec.restartPolicy",
    "spec.schedulerName",
    "status.phase",
  ];
  if (!known.includes(base)) {
    return [
      fieldError.invalid(
        `${at}.fieldPath`,
        ref.fieldPath,
        `error converting fieldPath: field label not supported: ${ref.fieldPath}`,
      ),
    ];
  }
  if (subscript) {
    const key = subscript[2] ?? "";
    if (base === "metadata.annotations") return named(key.toLowerCase(), at, qualifiedNameErrors);
    if (base === "metadata.labels") return named(key, at, qualifiedNameErrors);
    return [fieldError.invalid(at, base, "does not support subscript")];
  }
  return allowed.includes(base) ? [] : [fieldError.notSupported(`${at}.fieldPath`, base, allowed)];
}

/** A request or limit of a container; in a volume the container must be named. */
export function validateResourceFieldRef(
  ref: Wire<V1ResourceFieldSelector>,
  inVolume: boolean,
  at: string,
): FieldError[] {
  if (inVolume && !ref.containerName) return [fieldError.required(`${at}.containerName`)];
  if (!ref.resource) return [fieldError.required(`${at}.resource`)];
  if (resourceFieldPaths.includes(ref.resource) || /^(requests|limits)\.hugepages-/.test(ref.resource)) {
    return validateDivisor(ref, at);
  }
  return [fieldError.notSupported(`${at}.resource`, ref.resource, resourceFieldPaths)];
}

function validateDivisor(ref: Wire<V1ResourceFieldSelector>, at: string): FieldError[] {
  const divisor = ref.divisor ?? "0";
  if (divisor === "0") return [];
  const cpu = ref.resource.endsWith(".cpu");
  const allowed = cpu
    ? ["1m", "1"]
    : ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"];
  if (allowed.includes(divisor)) return [];
  const kind = cpu ? "cpu" : ref.resource.slice(ref.resource.indexOf(".") + 1);
  return [
    fieldError.invalid(
      `${at}.divisor`,
      divisor,
      cpu
        ? "only divisor's values 1m and 1 are supported with the cpu resource"
        : `only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the ${kind} resource`,
    ),
  ];
}

/** Sources that fill the environment with all their keys. */
export function validateEnvFrom(sources: Wire<V1EnvFromSource>[] | undefined, path: string): FieldError[] {
  return (sources ?? []).flatMap((source, i) => {
    const at = `${path}[${i}]`;
    const errors = source.prefix ? named(source.prefix, `${at}.prefix`, envVarNameErrors) : [];
    for (const kind of ["configMapRef", "secretRef"] as const) {
      const ref = source[kind];
      if (ref) errors.push(...requiredName(ref.name, `${at}.${kind}.name`));
    }
    if (!source.configMapRef && !source.secretRef) {
      errors.push(fieldError.invalid(path, "", "must specify one of: `configMapRef` or `secretRef`"));
    } else if (source.configMapRef && source.secretRef) {
      errors.push(fieldError.invalid(path, "", "may not have more than one field specified at a time"));
    }
    return errors;
  });
}

function requiredName(name: string | undefined, at: string): FieldError[] {
  return name ? named(name, at, dns1123SubdomainErrors) : [fieldError.required(at)];
}
