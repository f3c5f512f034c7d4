import type { V1Service } from "@kubernetes/client-node";
import { defineKind, type Kind } from "../../define.ts";
import { keep } from "../../fields/generation.ts";
import { cells } from "./cells.ts";
import { applyDefaults } from "./defaults.ts";
import { prepareForCreate, prepareForUpdate } from "./prepare.ts";
import { validate, validateUpdate } from "./validation.ts";
import { warnings } from "./warnings.ts";

export const services = defineKind<Kind<V1Service>>({
  group: "",
  resource: "services",
  applyDefaults,
  prepareForCreate,
  prepareForUpdate,
  prepareForStatusUpdate: (service, old) => keep(service, old, "spec"),
  validate,
  validateUpdate,
  updateErrorsFirst: true,
  warnings,
  selectableFields: {
    "spec.clusterIP": (service) => service.spec?.clusterIP ?? "",
    "spec.type": (service) => service.spec?.type ?? "",
  },
  cells,
});
