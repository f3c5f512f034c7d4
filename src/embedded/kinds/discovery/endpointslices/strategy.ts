import type { V1EndpointSlice } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import { defineKind, type Kind } from "../../define.ts";
import { keep } from "../../fields/generation.ts";
import { immutable, oneOf } from "../../fields/names.ts";

type EndpointSlice = Kind<V1EndpointSlice>;

const shown = 3;

function validate({ addressType, endpoints, ports }: EndpointSlice): FieldError[] {
  const seen = new Set<string>();
  return [
    ...oneOf(addressType, "addressType", ["FQDN", "IPv4", "IPv6"]),
    ...(endpoints ?? []).flatMap((endpoint, i) =>
      (endpoint.addresses ?? []).length === 0
        ? [fieldError.required(`endpoints[${i}].addresses`, "must contain at least 1 address")]
        : [],
    ),
    ...(ports ?? []).flatMap((port, i) => {
      const name = port.name ?? "";
      const errors = seen.has(name) ? [fieldError.duplicate(`ports[${i}].name`, name)] : [];
      seen.add(name);
      return [...errors, ...oneOf(port.protocol, `ports[${i}].protocol`, ["SCTP", "TCP", "UDP"])];
    }),
  ];
}

/** The first three of a list, `<unset>` for none. */
function few(all: string[]): string {
  const list = all.slice(0, shown).join(",");
  if (all.length > shown) return `${list} + ${all.length - shown} more...`;
  return list || "<unset>";
}

export const endpointSlices = defineKind<EndpointSlice>({
  group: "discovery.k8s.io",
  resource: "endpointslices",
  applyDefaults({ ports }) {
    for (const port of ports ?? []) {
      port.name ??= "";
      port.protocol ??= "TCP";
    }
  },
  prepareForCreate(slice) {
    slice.metadata.generation = 1;
  },
  prepareForUpdate(slice, old) {
    const content = ({ endpoints, ports, addressType, metadata }: EndpointSlice) =>
      JSON.stringify([endpoints, ports, addressType, metadata.labels, metadata.annotations]);
    const generation = old.metadata.generation ?? 0;
    slice.metadata.generation = content(slice) === content(old) ? generation : generation + 1;
    if (!slice.addressType) keep(slice, old, "addressType");
  },
  validate,
  validateUpdate: (slice, old) => immutable(slice.addressType, old.addressType, "addressType"),
  cells: ({ metadata, addressType, ports, endpoints }, now) => [
    metadata.name,
    addressType,
    few((ports ?? []).map((p) => (p.port === undefined ? p.name || "*" : String(p.port)))),
    few((endpoints ?? []).flatMap((e) => e.addresses)),
    ageSince(metadata.creationTimestamp, now),
  ],
});
