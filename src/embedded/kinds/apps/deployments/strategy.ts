import type { V1Deployment } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import { defineKind, type Kind } from "../../define.ts";
import { keepSpec, nextGeneration, startWith } from "../../fields/generation.ts";
import { formatLabelSelector } from "../../fields/labels.ts";
import { nameWarnings, templateWarnings } from "../../pod-spec/warnings.ts";
import { containerCells } from "../../table/containers.ts";
import { applyDefaults } from "./defaults.ts";
import { validate, validateUpdate } from "./validation.ts";

export const deployments = defineKind<Kind<V1Deployment>>({
  group: "apps",
  resource: "deployments",
  applyDefaults,
  prepareForCreate: startWith({}),
  prepareForUpdate(deployment, old) {
    nextGeneration(deployment, old);
    // Annotations count too: they travel to the ReplicaSets.
    const annotations = JSON.stringify(deployment.metadata.annotations ?? {});
    if (annotations !== JSON.stringify(old.metadata.annotations ?? {})) {
      deployment.metadata.generation = (old.metadata.generation ?? 0) + 1;
    }
  },
  prepareForStatusUpdate(deployment, old) {
    keepSpec(deployment, old);
    if (old.metadata.labels) deployment.metadata.labels = old.metadata.labels;
  },
  validate,
  validateUpdate,
  warnings: (deployment, old) => [
    ...nameWarnings(deployment.metadata.name, !old),
    ...templateWarnings(deployment.spec?.template, "spec.template"),
  ],
  cells: ({ metadata, spec, status }, now) => [
    metadata.name,
    `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    status?.updatedReplicas ?? 0,
    status?.availableReplicas ?? 0,
    ageSince(metadata.creationTimestamp, now),
    ...containerCells(spec?.template),
    formatLabelSelector(spec?.selector),
  ],
});
