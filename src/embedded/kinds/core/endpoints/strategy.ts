import { isIPv6 } from "node:net";
import type { V1Endpoints } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import { dns1123LabelErrors, portNumberErrors } from "../../../api/names.ts";
import { defineKind, type Kind } from "../../define.ts";
import { ipAddress } from "../../fields/addresses.ts";
import { named, oneOf } from "../../fields/names.ts";

type Endpoints = Kind<V1Endpoints>;

const shown = 3;

function validate({ subsets }: Endpoints): FieldError[] {
  return (subsets ?? []).flatMap((subset, i) => {
    const at = `subsets[${i}]`;
    const addresses = subset.addresses ?? [];
    const unready = subset.notReadyAddresses ?? [];
    const ports = subset.ports ?? [];
    return [
      ...(addresses.length + unready.length === 0
        ? [fieldError.required(at, "must specify `addresses` or `notReadyAddresses`")]
        : []),
      ...addresses.flatMap((a, j) => ipAddress(a.ip, `${at}.addresses[${j}].ip`)),
      ...unready.flatMap((a, j) => ipAddress(a.ip, `${at}.notReadyAddresses[${j}].ip`)),
      ...ports.flatMap((port, j) => [
        ...(ports.length > 1 && !port.name ? [fieldError.required(`${at}.ports[${j}].name`)] : []),
        ...(port.name ? named(port.name, `${at}.ports[${j}].name`, dns1123LabelErrors) : []),
        ...portNumberErrors(port.port).map((e) => fieldError.invalid(`${at}.ports[${j}].port`, port.port, e)),
        ...oneOf(port.protocol, `${at}.ports[${j}].protocol`, ["SCTP", "TCP", "UDP"]),
      ]),
    ];
  });
}

/** The first three addresses with their ports: `10.244.1.2:80,10.244.2.3:80 + 2 more...`. */
function formatEndpoints({ subsets }: Endpoints): string {
  if ((subsets ?? []).length === 0) return "<none>";
  const all = (subsets ?? []).flatMap(({ addresses, ports }) => {
    const ips = (addresses ?? []).map((a) => a.ip);
    if ((ports ?? []).length === 0) return ips;
    return (ports ?? []).flatMap(({ port }) => ips.map((ip) => (isIPv6(ip) ? `[${ip}]:${port}` : `${ip}:${port}`)));
  });
  const list = all.slice(0, shown).join(",");
  return all.length > shown ? `${list} + ${all.length - shown} more...` : list;
}

export const endpoints = defineKind<Endpoints>({
  group: "",
  resource: "endpoints",
  applyDefaults(object) {
    for (const subset of object.subsets ?? []) for (const port of subset.ports ?? []) port.protocol ||= "TCP";
  },
  validate,
  warnings: () => ["v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"],
  allowCreateOnUpdate: true,
  cells: (object, now) => [
    object.metadata.name,
    formatEndpoints(object),
    ageSince(object.metadata.creationTimestamp, now),
  ],
});
