import type { V1Toleration } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../api/field-error.ts";
import { labelValueErrors, qualifiedNameErrors } from "../../api/names.ts";
import { equal, type Wire } from "../../api/object.ts";
import { named } from "../fields/names.ts";

type Toleration = Wire<V1Toleration>;

/** What taints can do to Pods. */
export const taintEffects = ["NoSchedule", "PreferNoSchedule", "NoExecute"] as const;

export function validateTolerations(tolerations: Toleration[] | undefined, path: string): FieldError[] {
  return (tolerations ?? []).flatMap((t, i) => validateToleration(t, `${path}[${i}]`));
}

function validateToleration(toleration: Toleration, at: string): FieldError[] {
  const { key = "", operator = "", value = "", effect = "" } = toleration;
  const errors = key === "" ? [] : named(key, `${at}.key`, qualifiedNameErrors);
  if (key === "" && operator !== "Exists") {
    errors.push(
      fieldError.invalid(
        `${at}.operator`,
        operator,
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ),
    );
  }
  if (toleration.tolerationSeconds !== undefined && effect !== "NoExecute") {
    errors.push(
      fieldError.invalid(`${at}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"),
    );
  }
  if (operator === "Equal" || operator === "") {
    const wrong = labelValueErrors(value);
    if (wrong.length > 0) errors.push(fieldError.invalid(`${at}.operator`, value, wrong.join(";")));
  } else if (operator === "Exists") {
    if (value !== "") {
      errors.push(fieldError.invalid(`${at}.operator`, value, "value must be empty when `operator` is 'Exists'"));
    }
  } else if (operator === "Lt" || operator === "Gt") {
    // The gate TaintTolerationComparisonOperators is off.
    errors.push(fieldError.notSupported(`${at}.operator`, operator, ["Equal", "Exists", "Lt", "Gt"]));
  } else {
    errors.push(fieldError.notSupported(`${at}.operator`, operator, ["Equal", "Exists"]));
  }
  if (effect !== "" && !(taintEffects as readonly string[]).includes(effect)) {
    errors.push(fieldError.notSupported(`${at}.effect`, effect, taintEffects));
  }
  return errors;
}

/** A Pod's tolerations may be added to; of those it has, only tolerationSeconds may change. */
export function validateOnlyAddedTolerations(
  tolerations: Toleration[] | undefined,
  old: Toleration[] | undefined,
  path: string,
): FieldError[] {
  const kept = (old ?? []).every((was) =>
    (tolerations ?? []).some((is) => equal({ ...was, tolerationSeconds: is.tolerationSeconds }, is)),
  );
  if (!kept) {
    return [fieldError.forbidden(path, "existing toleration can not be modified except its tolerationSeconds")];
  }
  return validateTolerations(tolerations, path);
}
