import type { V1PersistentVolumeClaim } from "@kubernetes/client-node";
import type { KubeObject, Wire } from "../api/object.ts";
import { compareQuantities, parseQuantity, quantityOf } from "../api/quantity.ts";
import type { Amounts } from "./amounts.ts";
import type { Evaluator, ScopeSelector } from "./evaluator.ts";

type Claim = KubeObject & Wire<V1PersistentVolumeClaim>;
const byClass = ".storageclass.storage.k8s.io/";
const names = ["persistentvolumeclaims", "requests.storage"];

export const claims: Evaluator = {
  resources: (of) =>
    of.filter(
      (name) =>
        name === "count/persistentvolumeclaims" ||
        names.includes(name) ||
        names.some((suffix) => name.endsWith(byClass + suffix)),
    ),
  usage(object) {
    const { spec, status, metadata } = object as Claim;
    const storageClass = metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] ?? spec?.storageClassName;
    const amounts: Amounts = { persistentvolumeclaims: quantityOf(1) };
    const requested = (spec?.resources?.requests as Record<string, string> | undefined)?.["storage"];
    if (requested !== undefined) {
      const allocated = (status?.allocatedResources as Record<string, string> | undefined)?.["storage"];
      const wanted = parseQuantity(requested);
      const has = allocated === undefined ? wanted : parseQuantity(allocated);
      amounts["requests.storage"] = compareQuantities(has, wanted) > 0 ? has : wanted;
    }
    const ofClass = Object.entries(amounts).map(([name, amount]) => [`${storageClass}${byClass}${name}`, amount]);
    return {
      ...amounts,
      "count/persistentvolumeclaims": quantityOf(1),
      ...(storageClass ? Object.fromEntries(ofClass) : {}),
    };
  },
  isInScope(object, { scopeName, operator, values = [] }: ScopeSelector) {
    if (scopeName !== "VolumeAttributesClass") return false;
    const name = (object as Claim).spec?.volumeAttributesClassName ?? "";
    if (operator === "Exists") return name !== "";
    if (operator === "DoesNotExist") return name === "";
    return values.includes(name) === (operator === "In");
  },
  isCharged: (_operation, subresource) => subresource === "",
};
