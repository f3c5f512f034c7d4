import type { V1NetworkPolicy, V1NetworkPolicyPeer, V1NetworkPolicyPort } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import { portNameErrors, portNumberErrors } from "../../../api/names.ts";
import type { Wire } from "../../../api/object.ts";
import type { Kind } from "../../define.ts";
import { cidr } from "../../fields/addresses.ts";
import { labelSelector } from "../../fields/labels.ts";

const types = ["Ingress", "Egress"];

/** A rule of either direction: `from` of ingress and `to` of egress are peers alike. */
interface Rule {
  ports?: Wire<V1NetworkPolicyPort>[];
  from?: Wire<V1NetworkPolicyPeer>[];
  to?: Wire<V1NetworkPolicyPeer>[];
}

export function validate({ spec }: Kind<V1NetworkPolicy>): FieldError[] {
  const policyTypes = spec?.policyTypes ?? [];
  const errors = [
    ...labelSelector(spec?.podSelector, "spec.podSelector"),
    ...((spec?.ingress ?? []) as Rule[]).flatMap((rule, i) => validateRule(rule, "from", `spec.ingress[${i}]`)),
    ...((spec?.egress ?? []) as Rule[]).flatMap((rule, i) => validateRule(rule, "to", `spec.egress[${i}]`)),
  ];
  if (policyTypes.length > types.length) {
    return [
      ...errors,
      fieldError.invalid("spec.policyTypes", policyTypes, "may not specify more than two policyTypes"),
    ];
  }
  return [
    ...errors,
    ...policyTypes.flatMap((type, i) =>
      types.includes(type) ? [] : [fieldError.notSupported(`spec.policyTypes[${i}]`, type, types)],
    ),
  ];
}

function validateRule(rule: Rule, peers: "from" | "to", at: string): FieldError[] {
  return [
    ...(rule.ports ?? []).flatMap((port, i) => validatePort(port, `${at}.ports[${i}]`)),
    ...(rule[peers] ?? []).flatMap((peer, i) => validatePeer(peer, `${at}.${peers}[${i}]`)),
  ];
}

function validatePort({ port, protocol, endPort }: Wire<V1NetworkPolicyPort>, at: string): FieldError[] {
  const errors: FieldError[] = [];
  if (protocol !== undefined && !["TCP", "UDP", "SCTP"].includes(protocol)) {
    errors.push(fieldError.notSupported(`${at}.protocol`, protocol, ["TCP", "UDP", "SCTP"]));
  }
  const wrongEnd = (shown: number, why: string) => errors.push(fieldError.invalid(`${at}.endPort`, shown, why));
  if (port === undefined) {
    if (endPort !== undefined) wrongEnd(endPort, "may not be specified when `port` is not specified");
  } else if (typeof port === "number") {
    errors.push(...portNumberErrors(port).map((e) => fieldError.invalid(`${at}.port`, port, e)));
    if (endPort !== undefined) {
      if (endPort < port) wrongEnd(port, "must be greater than or equal to `port`");
      for (const e of portNumberErrors(endPort)) wrongEnd(endPort, e);
    }
  } else {
    if (endPort !== undefined) wrongEnd(endPort, "may not be specified when `port` is non-numeric");
    errors.push(...portNameErrors(String(port)).map((e) => fieldError.invalid(`${at}.port`, port, e)));
  }
  return errors;
}

function validatePeer(
  { podSelector, namespaceSelector, ipBlock }: Wire<V1NetworkPolicyPeer>,
  at: string,
): FieldError[] {
  const errors = [
    ...labelSelector(podSelector, `${at}.podSelector`),
    ...labelSelector(namespaceSelector, `${at}.namespaceSelector`),
  ];
  if (ipBlock) {
    errors.push(
      ...(ipBlock.cidr ? cidr(ipBlock.cidr, `${at}.ipBlock.cidr`) : [fieldError.required(`${at}.ipBlock.cidr`)]),
    );
    errors.push(...(ipBlock.except ?? []).flatMap((range, i) => cidr(range, `${at}.ipBlock.except[${i}]`)));
  }
  if (!podSelector && !namespaceSelector && !ipBlock) errors.push(fieldError.required(at, "must specify a peer"));
  else if (ipBlock && (podSelector || namespaceSelector)) {
    errors.push(fieldError.forbidden(at, "may not specify both ipBlock and another peer"));
  }
  return errors;
}
