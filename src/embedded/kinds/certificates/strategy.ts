import type { V1CertificateSigningRequest } from "@kubernetes/client-node";
import { rfc3339 } from "../../api/clock.ts";
import { ageSince, humanDuration } from "../../api/duration.ts";
import { type FieldError, fieldError } from "../../api/field-error.ts";
import { equal } from "../../api/object.ts";
import { defineKind, type Kind } from "../define.ts";
import { keep } from "../fields/generation.ts";

type CertificateSigningRequest = Kind<V1CertificateSigningRequest>;

const conditionTypes = { Approved: "Approved", Denied: "Denied", Failed: "Failed" };

function validate({ spec }: CertificateSigningRequest): FieldError[] {
  const errors: FieldError[] = [];
  const pem = Buffer.from(spec?.request ?? "", "base64").toString("utf8");
  if (!pem.includes("-----BEGIN CERTIFICATE REQUEST-----")) {
    errors.push(fieldError.invalid("spec.request", spec?.request ?? "", "PEM block type must be CERTIFICATE REQUEST"));
  }
  if ((spec?.usages ?? []).length === 0) {
    errors.push(fieldError.required("spec.usages", "usages is required"));
  }
  if (!spec?.signerName) errors.push(fieldError.required("spec.signerName"));
  else if (!spec.signerName.includes("/")) {
    errors.push(
      fieldError.invalid(
        "spec.signerName",
        spec.signerName,
        "must be a fully qualified domain and path of the form 'example.com/signer-name'",
      ),
    );
  }
  const seconds = spec?.expirationSeconds;
  if (seconds !== undefined && seconds < 600) {
    errors.push(
      fieldError.invalid(
        "spec.expirationSeconds",
        seconds,
        "may not specify a duration less than 600 seconds (10 minutes)",
      ),
    );
  }
  return errors;
}

function condition({ status }: CertificateSigningRequest): string {
  const has = (type: string) => status?.conditions?.some((c) => c.type === type);
  const decision = has(conditionTypes.Denied) ? "Denied" : has(conditionTypes.Approved) ? "Approved" : "Pending";
  return [decision, ...(has(conditionTypes.Failed) ? ["Failed"] : []), ...(status?.certificate ? ["Issued"] : [])].join(
    ",",
  );
}

export const certificateSigningRequests = defineKind<CertificateSigningRequest>({
  group: "certificates.k8s.io",
  resource: "certificatesigningrequests",
  prepareForCreate(request) {
    request.status = {};
  },
  prepareForUpdate(request, old) {
    keep(request, old, "spec");
    keep(request, old, "status");
  },
  prepareForStatusUpdate(request, old, { now }) {
    keep(request, old, "spec");
    for (const condition of request.status?.conditions ?? []) {
      const before = old.status?.conditions?.find((c) => c.type === condition.type);
      condition.lastTransitionTime ??= before?.lastTransitionTime ?? rfc3339(now);
      condition.lastUpdateTime ??= before?.lastUpdateTime ?? rfc3339(now);
    }
  },
  validate,
  validateStatusUpdate(request, old) {
    const errors: FieldError[] = [];
    for (const type of [conditionTypes.Approved, conditionTypes.Denied]) {
      const has = ({ status }: CertificateSigningRequest) => status?.conditions?.some((c) => c.type === type) ?? false;
      if (has(old) && !has(request)) {
        errors.push(
          fieldError.forbidden(
            "status.conditions",
            `updates may not remove a condition of type ${JSON.stringify(type)}`,
          ),
        );
      }
    }
    const decided = (request.status?.conditions ?? []).flatMap(({ type }, i) =>
      type === conditionTypes.Approved || type === conditionTypes.Denied ? [{ type, i }] : [],
    );
    const [first, second] = decided;
    if (first !== undefined && second !== undefined && first.type !== second.type) {
      errors.push(
        fieldError.invalid(
          `status.conditions[${second.i}].type`,
          second.type,
          "Approved and Denied conditions are mutually exclusive",
        ),
      );
    }
    if (old.status?.certificate && !equal(request.status?.certificate, old.status.certificate)) {
      errors.push(
        fieldError.forbidden("status.certificate", "updates may not set certificate content if a value is already set"),
      );
    }
    return errors;
  },
  selectableFields: { "spec.signerName": (request) => request.spec?.signerName ?? "" },
  cells: (request, now) => [
    request.metadata.name,
    ageSince(request.metadata.creationTimestamp, now),
    request.spec?.signerName || "<none>",
    request.spec?.username ?? "",
    request.spec?.expirationSeconds === undefined ? "<none>" : humanDuration(request.spec.expirationSeconds * 1000),
    condition(request),
  ],
});
