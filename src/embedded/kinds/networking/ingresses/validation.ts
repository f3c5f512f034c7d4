import { isIP } from "node:net";
import type { V1HTTPIngressPath, V1Ingress, V1IngressBackend } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import {
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  portNameErrors,
  portNumberErrors,
  wildcardDns1123SubdomainErrors,
} from "../../../api/names.ts";
import type { Wire } from "../../../api/object.ts";
import type { Kind } from "../../define.ts";
import { named } from "../../fields/names.ts";

const pathTypes = ["Exact", "ImplementationSpecific", "Prefix"];

export function validate({ spec }: Kind<V1Ingress>): FieldError[] {
  const rules = spec?.rules ?? [];
  const errors: FieldError[] = [];
  if (rules.length === 0 && !spec?.defaultBackend) {
    errors.push(
      fieldError.invalid("spec", spec?.rules ?? null, "either `defaultBackend` or `rules` must be specified"),
    );
  }
  if (spec?.defaultBackend) errors.push(...validateBackend(spec.defaultBackend, "spec.defaultBackend"));
  for (const [i, rule] of rules.entries()) {
    const at = `spec.rules[${i}]`;
    if (rule.host) errors.push(...validateHost(rule.host, `${at}.host`));
    if (!rule.http) continue;
    const paths = rule.http.paths ?? [];
    if (paths.length === 0) errors.push(fieldError.required(`${at}.http.paths`));
    errors.push(...paths.flatMap((path, j) => validatePath(path, `${at}.http.paths[${j}]`)));
  }
  for (const [i, tls] of (spec?.tls ?? []).entries()) {
    for (const [j, host] of (tls.hosts ?? []).entries()) {
      const check = host.includes("*") ? wildcardDns1123SubdomainErrors : dns1123SubdomainErrors;
      errors.push(...named(host, `spec.tls[${i}].hosts[${j}]`, check));
    }
  }
  if (spec?.ingressClassName !== undefined) {
    errors.push(...named(spec.ingressClassName, "spec.ingressClassName", dns1123SubdomainErrors));
  }
  return errors;
}

function validateHost(host: string, at: string): FieldError[] {
  return [
    ...(isIP(host) ? [fieldError.invalid(at, host, "must be a DNS name, not an IP address")] : []),
    ...named(host, at, host.includes("*") ? wildcardDns1123SubdomainErrors : dns1123SubdomainErrors),
  ];
}

function validatePath(path: Wire<V1HTTPIngressPath>, at: string): FieldError[] {
  if (!path.pathType) return [fieldError.required(`${at}.pathType`, "pathType must be specified")];
  const text = path.path ?? "";
  const errors: FieldError[] = [];
  const wrong = (why: string) => errors.push(fieldError.invalid(`${at}.path`, text, why));
  if (!pathTypes.includes(path.pathType)) {
    errors.push(fieldError.notSupported(`${at}.pathType`, path.pathType, pathTypes));
  } else if (path.pathType === "ImplementationSpecific") {
    if (text !== "" && !text.startsWith("/")) wrong("must be an absolute path");
  } else {
    if (!text.startsWith("/")) wrong("must be an absolute path");
    for (const part of ["//", "/./", "/../", "%2f", "%2F"])
      if (text.includes(part)) wrong(`must not contain '${part}'`);
    for (const end of ["/..", "/."]) if (text.endsWith(end)) wrong(`cannot end with '${end}'`);
  }
  return [...errors, ...validateBackend(path.backend ?? {}, `${at}.backend`)];
}

function validateBackend(backend: Wire<V1IngressBackend>, at: string): FieldError[] {
  const { service, resource } = backend;
  if (service && resource) return [fieldError.invalid(at, "", "cannot set both resource and service backends")];
  if (resource) {
    return (["kind", "name"] as const).flatMap((field) =>
      resource[field] ? [] : [fieldError.required(`${at}.resource.${field}`)],
    );
  }
  if (!service) return [fieldError.invalid(at, "", "resource or service backend is required")];
  const errors = service.name
    ? named(service.name, `${at}.service.name`, dns1035LabelErrors)
    : [fieldError.required(`${at}.service.name`)];
  const { name, number } = service.port ?? {};
  if (name && number) errors.push(fieldError.invalid(at, "", "cannot set both port name & port number"));
  else if (name) errors.push(...named(name, `${at}.service.port.name`, portNameErrors));
  else if (number) {
    errors.push(...portNumberErrors(number).map((e) => fieldError.invalid(`${at}.service.port.number`, number, e)));
  } else errors.push(fieldError.required(at, "port name or number is required"));
  return errors;
}
