import type { V1Ingress, V1IngressClass } from "@kubernetes/client-node";
import type { KubeObject, Wire } from "../api/object.ts";
import type { AdmissionPlugin } from "../registry/core.ts";
import { defaultOf } from "./default-class.ts";

type Ingress = KubeObject & Wire<V1Ingress>;
type IngressClass = KubeObject & Wire<V1IngressClass>;

const ingressClasses = { group: "networking.k8s.io", resource: "ingressclasses" };

/** The class of an Ingress that names none (DefaultIngressClass). */
export const defaultIngressClass: AdmissionPlugin = {
  name: "DefaultIngressClass",
  mutate({ operation, definition, target, object }, { store }) {
    const { group, resource } = definition.info;
    if (operation !== "CREATE" || group !== "networking.k8s.io" || resource !== "ingresses" || target.subresource)
      return;
    const { spec, metadata } = object as Ingress;
    const annotated = metadata.annotations?.["kubernetes.io/ingress.class"] !== undefined;
    if (spec === undefined || spec.ingressClassName !== undefined || annotated) return;
    const all = store.list(ingressClasses) as readonly IngressClass[];
    const chosen = defaultOf(all, "ingressclass.kubernetes.io/is-default-class");
    if (chosen) spec.ingressClassName = chosen.metadata.name;
  },
};
