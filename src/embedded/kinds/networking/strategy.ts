import type { V1IPAddress, V1ServiceCIDR } from "@kubernetes/client-node";
import { fieldError } from "../../api/field-error.ts";
import { groupResource } from "../../api/resource.ts";
import { defineKind, type Kind } from "../define.ts";
import { cidr } from "../fields/addresses.ts";
import { keepSpec, nextGeneration, startWith } from "../fields/generation.ts";
import { immutable } from "../fields/names.ts";
import { nameAndAge } from "../table/name-and-age.ts";

const group = "networking.k8s.io";

/** `services/lab/web`: what an address belongs to. */
function parent({ spec }: Kind<V1IPAddress>): string {
  const ref = spec?.parentRef;
  if (!ref) return "<none>";
  const resource = groupResource({ group: ref.group ?? "", resource: ref.resource }).toLowerCase();
  return [resource, ref.namespace, ref.name].filter(Boolean).join("/");
}

export const ipAddresses = defineKind<Kind<V1IPAddress>>({
  group,
  resource: "ipaddresses",
  validate: ({ spec }) => (spec?.parentRef ? [] : [fieldError.required("spec.parentRef")]),
  cells: (address) => [address.metadata.name, parent(address)],
});

export const serviceCidrs = defineKind<Kind<V1ServiceCIDR>>({
  group,
  resource: "servicecidrs",
  prepareForCreate: startWith({}),
  prepareForUpdate: nextGeneration,
  prepareForStatusUpdate: keepSpec,
  validate: ({ spec }) =>
    (spec?.cidrs ?? []).length === 0
      ? [fieldError.required("spec.cidrs", "at least one CIDR required")]
      : (spec?.cidrs ?? []).flatMap((range, i) => cidr(range, `spec.cidrs[${i}]`)),
  validateUpdate: (range, old) => immutable(range.spec?.cidrs, old.spec?.cidrs, "spec.cidrs"),
  cells: nameAndAge(({ spec }) => [(spec?.cidrs ?? []).join(",")]),
});
