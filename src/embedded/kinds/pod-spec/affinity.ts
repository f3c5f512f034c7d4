import type {
  V1Affinity,
  V1NodeSelector,
  V1NodeSelectorRequirement,
  V1NodeSelectorTerm,
  V1PodAffinity,
  V1PodAffinityTerm,
} from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../api/field-error.ts";
import { dns1123LabelErrors, dns1123SubdomainErrors, labelValueErrors, qualifiedNameErrors } from "../../api/names.ts";
import type { Wire } from "../../api/object.ts";
import { labelSelector } from "../fields/labels.ts";
import { named } from "../fields/names.ts";

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

/** Node and Pod affinity of a Pod. */
export function validateAffinity(affinity: Wire<V1Affinity> | undefined, path: string): FieldError[] {
  if (!affinity) return [];
  const node = affinity.nodeAffinity;
  return [
    ...(node?.[required] ? validateNodeSelector(node[required], `${path}.nodeAffinity.${required}`) : []),
    ...(node?.[preferred] ?? []).flatMap((term, i) => {
      const at = `${path}.nodeAffinity.${preferred}[${i}]`;
      return [...weight(term.weight, at), ...validateTerm(term.preference, `${at}.preference`, false)];
    }),
    ...validatePodAffinity(affinity.podAffinity, `${path}.podAffinity`),
    ...validatePodAffinity(affinity.podAntiAffinity, `${path}.podAntiAffinity`),
  ];
}

/** Terms of which a node must satisfy one. */
export function validateNodeSelector(selector: Wire<V1NodeSelector>, path: string): FieldError[] {
  const terms = selector.nodeSelectorTerms ?? [];
  const at = `${path}.nodeSelectorTerms`;
  if (terms.length === 0) return [fieldError.required(at, "must have at least one node selector term")];
  return terms.flatMap((term, i) => validateTerm(term, `${at}[${i}]`, true));
}

function validateTerm(term: Wire<V1NodeSelectorTerm>, at: string, checkValues: boolean): FieldError[] {
  return [
    ...(term.matchExpressions ?? []).flatMap((r, i) => requirement(r, `${at}.matchExpressions[${i}]`, checkValues)),
    ...(term.matchFields ?? []).flatMap((r, i) => fieldRequirement(r, `${at}.matchFields[${i}]`)),
  ];
}

function requirement(r: Wire<V1NodeSelectorRequirement>, at: string, checkValues: boolean): FieldError[] {
  const values = r.values ?? [];
  return [
    ...operatorErrors(r.operator, values, at),
    ...named(r.key, `${at}.key`, qualifiedNameErrors),
    ...(checkValues ? values.flatMap((v, i) => named(v, `${at}.values[${i}]`, labelValueErrors)) : []),
  ];
}

function operatorErrors(operator: string, values: string[], at: string): FieldError[] {
  if (operator === "In" || operator === "NotIn") {
    return values.length > 0
      ? []
      : [fieldError.required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
  }
  if (operator === "Exists" || operator === "DoesNotExist") {
    return values.length === 0
      ? []
      : [fieldError.forbidden(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  }
  if (operator === "Gt" || operator === "Lt") {
    return values.length === 1
      ? []
      : [fieldError.required(`${at}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
  }
  return [fieldError.invalid(`${at}.operator`, operator, "not a valid selector operator")];
}

function fieldRequirement(r: Wire<V1NodeSelectorRequirement>, at: string): FieldError[] {
  const values = r.values ?? [];
  const errors: FieldError[] = [];
  if (r.operator !== "In" && r.operator !== "NotIn") {
    errors.push(fieldError.invalid(`${at}.operator`, r.operator, "not a valid selector operator"));
  } else if (values.length !== 1) {
    errors.push(
      fieldError.required(
        `${at}.values`,
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
      ),
    );
  }
  if (r.key !== "metadata.name") {
    errors.push(fieldError.invalid(`${at}.key`, r.key, "not a valid field selector key"));
  } else {
    errors.push(...values.flatMap((v, i) => named(v, `${at}.values[${i}]`, dns1123SubdomainErrors)));
  }
  return errors;
}

function validatePodAffinity(affinity: Wire<V1PodAffinity> | undefined, path: string): FieldError[] {
  return [
    ...(affinity?.[required] ?? []).flatMap((term, i) => podTerm(term, `${path}.${required}[${i}]`)),
    ...(affinity?.[preferred] ?? []).flatMap((term, i) => {
      const at = `${path}.${preferred}[${i}]`;
      return [...weight(term.weight, at), ...podTerm(term.podAffinityTerm, `${at}.podAffinityTerm`)];
    }),
  ];
}

function podTerm(term: Wire<V1PodAffinityTerm>, at: string): FieldError[] {
  const topologyKey = term.topologyKey ?? "";
  return [
    ...labelSelector(term.labelSelector, `${at}.labelSelector`),
    ...labelSelector(term.namespaceSelector, `${at}.namespaceSelector`),
    ...(term.namespaces ?? []).flatMap((name) => named(name, `${at}.namespace`, dns1123LabelErrors)),
    ...(topologyKey === "" ? [fieldError.required(`${at}.topologyKey`, "can not be empty")] : []),
    ...named(topologyKey, `${at}.topologyKey`, qualifiedNameErrors),
  ];
}

function weight(value: number, at: string): FieldError[] {
  return value > 0 && value <= 100
    ? []
    : [fieldError.invalid(`${at}.weight`, value ?? 0, "must be in the range 1-100")];
}
