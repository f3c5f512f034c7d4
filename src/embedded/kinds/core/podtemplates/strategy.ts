import type { V1PodTemplate } from "@kubernetes/client-node";
import { defineKind, type Kind } from "../../define.ts";
import { formatLabels } from "../../fields/labels.ts";
import { validatePodTemplate } from "../../pod-spec/spec.ts";
import { applyTemplateDefaults } from "../../pod-spec/template.ts";
import { templateWarnings } from "../../pod-spec/warnings.ts";
import { containerCells } from "../../table/containers.ts";

export const podTemplates = defineKind<Kind<V1PodTemplate>>({
  group: "",
  resource: "podtemplates",
  applyDefaults: applyTemplateDefaults,
  validate: ({ template }) => validatePodTemplate(template, "template"),
  warnings: ({ template }) => templateWarnings(template, "template"),
  cells: ({ metadata, template }) => [
    metadata.name,
    ...containerCells(template),
    formatLabels(template?.metadata?.labels),
  ],
});
