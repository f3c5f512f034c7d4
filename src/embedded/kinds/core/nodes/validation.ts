import type { V1Node, V1Taint } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import { labelValueErrors, qualifiedNameErrors } from "../../../api/names.ts";
import type { Wire } from "../../../api/object.ts";
import type { Kind } from "../../define.ts";
import { sortedEntries } from "../../fields/labels.ts";
import { named, oneOf } from "../../fields/names.ts";
import { validateResourceName, validateResourceQuantity } from "../../pod-spec/resources.ts";
import { taintEffects } from "../../pod-spec/tolerations.ts";

type Node = Kind<V1Node>;

export function validate(node: Node): FieldError[] {
  return [...validateTaints(node.spec?.taints), ...validateAmounts(node)];
}

/** The server names the path of taints under metadata. */
function validateTaints(taints: Wire<V1Taint>[] | undefined): FieldError[] {
  const seen = new Set<string>();
  return (taints ?? []).flatMap((taint, i) => {
    const at = `metadata.taints[${i}]`;
    const wrongValue = labelValueErrors(taint.value ?? "");
    const errors = [
      ...named(taint.key, `${at}.key`, qualifiedNameErrors),
      ...(wrongValue.length > 0 ? [fieldError.invalid(`${at}.value`, taint.value, wrongValue.join(";"))] : []),
      ...oneOf(taint.effect, `${at}.effect`, taintEffects),
    ];
    const pair = `${taint.effect}/${taint.key}`;
    if (seen.has(pair)) {
      const { type, field, message } = fieldError.duplicate(at, {
        Key: taint.key,
        Value: taint.value ?? "",
        Effect: taint.effect,
        TimeAdded: taint.timeAdded ?? null,
      });
      errors.push({ type, field, message: `${message}: taints must be unique by key and effect pair` });
    }
    seen.add(pair);
    return errors;
  });
}

function validateAmounts(node: Node): FieldError[] {
  return (["capacity", "allocatable"] as const).flatMap((field) =>
    sortedEntries(node.status?.[field]).flatMap(([name, text]) => [
      ...validateResourceName(name, `status.${field}[${name}]`),
      ...validateResourceQuantity(name, text, `status.${field}[${name}]`),
    ]),
  );
}

export function validateUpdate(node: Node, old: Node): FieldError[] {
  const errors: FieldError[] = [];
  const cidrs = old.spec?.podCIDRs ?? [];
  if (cidrs.length > 0 && cidrs.join() !== (node.spec?.podCIDRs ?? []).join()) {
    errors.push(fieldError.forbidden("spec.podCIDRs", 'node updates may not change podCIDR except from "" to valid'));
  }
  if (old.spec?.providerID && old.spec.providerID !== node.spec?.providerID) {
    errors.push(
      fieldError.forbidden("spec.providerID", 'node updates may not change providerID except from "" to valid'),
    );
  }
  return errors;
}
