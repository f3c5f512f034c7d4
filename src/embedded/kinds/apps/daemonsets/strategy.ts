import type { V1DaemonSet } from "@kubernetes/client-node";
import { defineKind, type Kind } from "../../define.ts";
import { templateWarnings } from "../../pod-spec/warnings.ts";
import { cells } from "./cells.ts";
import { applyDefaults } from "./defaults.ts";
import { prepareForCreate, prepareForStatusUpdate, prepareForUpdate } from "./prepare.ts";
import { validate, validateStatusUpdate, validateUpdate } from "./validation.ts";

export const daemonSets = defineKind<Kind<V1DaemonSet>>({
  group: "apps",
  resource: "daemonsets",
  applyDefaults,
  prepareForCreate,
  prepareForUpdate,
  prepareForStatusUpdate,
  validate,
  validateUpdate,
  updateErrorsFirst: true,
  validateStatusUpdate,
  warnings: (daemonSet) => templateWarnings(daemonSet.spec?.template, "spec.template"),
  cells,
});
