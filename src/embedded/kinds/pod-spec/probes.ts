import type { V1Lifecycle, V1LifecycleHandler, V1Probe } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../api/field-error.ts";
import { httpHeaderNameErrors } from "../../api/names.ts";
import type { Wire } from "../../api/object.ts";
import { named, oneOf } from "../fields/names.ts";
import { nonNegative, portNumberOrName } from "../fields/numbers.ts";

type Probe = Wire<V1Probe>;
type Handler = Wire<V1LifecycleHandler> & Pick<Probe, "grpc">;

export type ProbeName = "livenessProbe" | "readinessProbe" | "startupProbe";

/** A probe of a container; liveness and startup probes succeed at the first success. */
export function validateProbe(
  probe: Probe | undefined,
  kind: ProbeName,
  gracePeriod: number | undefined,
  path: string,
): FieldError[] {
  if (!probe) return [];
  const errors = validateHandler(probe, gracePeriod, path);
  for (const field of [
    "initialDelaySeconds",
    "timeoutSeconds",
    "periodSeconds",
    "successThreshold",
    "failureThreshold",
  ] as const) {
    errors.push(...nonNegative(probe[field], `${path}.${field}`));
  }
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0) {
    errors.push(fieldError.invalid(`${path}.terminationGracePeriodSeconds`, grace, "must be greater than 0"));
  }
  if (kind === "readinessProbe") {
    if (grace !== undefined) {
      errors.push(
        fieldError.invalid(`${path}.terminationGracePeriodSeconds`, grace, "must not be set for readinessProbes"),
      );
    }
  } else if ((probe.successThreshold ?? 0) !== 1) {
    errors.push(fieldError.invalid(`${path}.successThreshold`, probe.successThreshold ?? 0, "must be 1"));
  }
  return errors;
}

/** What runs after a container starts and before it stops. */
export function validateLifecycle(
  lifecycle: Wire<V1Lifecycle> | undefined,
  gracePeriod: number | undefined,
  path: string,
): FieldError[] {
  if (!lifecycle) return [];
  return [
    ...(lifecycle.postStart ? validateHandler(lifecycle.postStart, gracePeriod, `${path}.postStart`) : []),
    ...(lifecycle.preStop ? validateHandler(lifecycle.preStop, gracePeriod, `${path}.preStop`) : []),
  ];
}

function validateHandler(handler: Handler, gracePeriod: number | undefined, path: string): FieldError[] {
  const checks: Record<string, (at: string) => FieldError[]> = {
    exec: (at) => ((handler.exec?.command ?? []).length > 0 ? [] : [fieldError.required(`${at}.command`)]),
    httpGet: (at) => validateHttpGet(handler, at),
    tcpSocket: (at) => portNumberOrName(handler.tcpSocket?.port, `${at}.port`),
    grpc: (at) => portNumberOrName(handler.grpc?.port, `${at}.port`),
    sleep: (at) => validateSleep(handler.sleep?.seconds ?? 0, gracePeriod, at),
  };
  const given = Object.keys(checks).filter((name) => handler[name as keyof Handler] !== undefined);
  if (given.length === 0) return [fieldError.required(path, "must specify a handler type")];
  return given.flatMap((name, i) =>
    i === 0
      ? (checks[name]?.(`${path}.${name}`) ?? [])
      : [fieldError.forbidden(`${path}.${name}`, "may not specify more than 1 handler type")],
  );
}

function validateHttpGet(handler: Handler, at: string): FieldError[] {
  const http = handler.httpGet;
  if (!http) return [];
  return [
    ...(http.path ? [] : [fieldError.required(`${at}.path`)]),
    ...portNumberOrName(http.port as number | string, `${at}.port`),
    ...oneOf(http.scheme, `${at}.scheme`, ["HTTP", "HTTPS"]),
    ...(http.httpHeaders ?? []).flatMap((h) => named(h.name, `${at}.httpHeaders`, httpHeaderNameErrors)),
  ];
}

function validateSleep(seconds: number, gracePeriod: number | undefined, at: string): FieldError[] {
  if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return [];
  return [
    fieldError.invalid(
      at,
      seconds,
      `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`,
    ),
  ];
}
