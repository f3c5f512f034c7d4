import type { V1APIService } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../api/field-error.ts";
import { defineKind, type Kind } from "../define.ts";
import { keep } from "../fields/generation.ts";
import { nameAndAge } from "../table/name-and-age.ts";

type APIService = Kind<V1APIService>;

function validate({ metadata, spec }: APIService): FieldError[] {
  const name = `${spec?.version ?? ""}.${spec?.group ?? ""}`;
  const errors: FieldError[] = [];
  if (metadata.name !== name) {
    errors.push(
      fieldError.invalid(
        "metadata.name",
        metadata.name,
        `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(name)}`,
      ),
    );
  }
  const group = spec?.groupPriorityMinimum ?? 0;
  const version = spec?.versionPriority ?? 0;
  if (group <= 0 || group > 20_000) {
    errors.push(fieldError.invalid("spec.groupPriorityMinimum", group, "must be positive and less than 20000"));
  }
  if (version <= 0 || version > 1000) {
    errors.push(fieldError.invalid("spec.versionPriority", version, "must be positive and less than 1000"));
  }
  return errors;
}

function available({ status }: APIService): string {
  const condition = status?.conditions?.find((c) => c.type === "Available");
  if (!condition) return "Unknown";
  return condition.status === "True" ? "True" : `${condition.status} (${condition.reason ?? ""})`;
}

export const apiServices = defineKind<APIService>({
  group: "apiregistration.k8s.io",
  resource: "apiservices",
  applyDefaults({ spec }) {
    if (spec?.service) spec.service.port ??= 443;
  },
  prepareForUpdate: (service, old) => keep(service, old, "status"),
  prepareForStatusUpdate: (service, old) => keep(service, old, "spec"),
  validate,
  cells: nameAndAge((service) => {
    const target = service.spec?.service;
    return [target ? `${target.namespace}/${target.name}` : "Local", available(service)];
  }),
});
