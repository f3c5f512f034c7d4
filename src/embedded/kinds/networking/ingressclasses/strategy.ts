import type { V1IngressClass } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import { fieldError } from "../../../api/field-error.ts";
import { defineKind, type Kind } from "../../define.ts";
import { immutable } from "../../fields/names.ts";

type IngressClass = Kind<V1IngressClass>;

const isDefault = "ingressclass.kubernetes.io/is-default-class";

function parameters({ spec }: IngressClass): string {
  const ref = spec?.parameters;
  if (!ref) return "<none>";
  return `${ref.apiGroup ? `${ref.kind}.${ref.apiGroup}` : ref.kind}/${ref.name}`;
}

export const ingressClasses = defineKind<IngressClass>({
  group: "networking.k8s.io",
  resource: "ingressclasses",
  applyDefaults({ spec }) {
    if (spec?.parameters) spec.parameters.scope ??= "Cluster";
  },
  prepareForCreate(ingressClass) {
    ingressClass.metadata.generation = 1;
  },
  validate: ({ spec }) => (spec?.controller ? [] : [fieldError.required("spec.controller")]),
  validateUpdate: (ingressClass, old) =>
    immutable(ingressClass.spec?.controller, old.spec?.controller, "spec.controller"),
  cells: (ingressClass, now) => [
    ingressClass.metadata.annotations?.[isDefault] === "true"
      ? `${ingressClass.metadata.name} (default)`
      : ingressClass.metadata.name,
    ingressClass.spec?.controller ?? "",
    parameters(ingressClass),
    ageSince(ingressClass.metadata.creationTimestamp, now),
  ],
});
