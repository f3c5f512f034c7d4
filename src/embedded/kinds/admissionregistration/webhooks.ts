import type { V1MutatingWebhook, V1ValidatingWebhook } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../api/field-error.ts";
import { dns1123SubdomainErrors } from "../../api/names.ts";
import type { Wire } from "../../api/object.ts";
import { labelSelector } from "../fields/labels.ts";

type Webhook = Wire<V1ValidatingWebhook> | Wire<V1MutatingWebhook>;

/** The webhooks of a configuration. */
export function validateWebhooks(webhooks: readonly Webhook[] | undefined): FieldError[] {
  const names = new Set<string>();
  return (webhooks ?? []).flatMap((webhook, i) => {
    const at = `webhooks[${i}]`;
    const name = webhook.name ?? "";
    const errors = validateName(name, `${at}.name`);
    if (names.has(name)) errors.push(fieldError.duplicate(`${at}.name`, name));
    names.add(name);
    if ((webhook.admissionReviewVersions ?? []).length === 0) {
      errors.push(fieldError.required(`${at}.admissionReviewVersions`, "must specify one of v1, v1beta1"));
    }
    if (!webhook.sideEffects) {
      errors.push(fieldError.required(`${at}.sideEffects`, "must specify one of None, NoneOnDryRun"));
    } else if (webhook.sideEffects !== "None" && webhook.sideEffects !== "NoneOnDryRun") {
      errors.push(fieldError.notSupported(`${at}.sideEffects`, webhook.sideEffects, ["None", "NoneOnDryRun"]));
    }
    const seconds = webhook.timeoutSeconds;
    if (seconds !== undefined && (seconds > 30 || seconds < 1)) {
      errors.push(
        fieldError.invalid(`${at}.timeoutSeconds`, seconds, "the timeout value must be between 1 and 30 seconds"),
      );
    }
    errors.push(...labelSelector(webhook.namespaceSelector, `${at}.namespaceSelector`));
    errors.push(...labelSelector(webhook.objectSelector, `${at}.objectSelector`));
    const { url, service } = webhook.clientConfig ?? {};
    if ((url === undefined) === (service === undefined)) {
      errors.push(fieldError.required(`${at}.clientConfig`, "exactly one of url or service is required"));
    }
    return errors;
  });
}

function validateName(name: string, at: string): FieldError[] {
  if (name === "") return [fieldError.required(at)];
  const wrong = dns1123SubdomainErrors(name);
  if (wrong.length > 0) return [fieldError.invalid(at, name, wrong.join(","))];
  return name.split(".").length < 3
    ? [fieldError.invalid(at, name, "should be a domain with at least three segments separated by dots")]
    : [];
}
