import type { V1StatefulSet } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import { defineKind, type Kind } from "../../define.ts";
import { keepSpec, nextGeneration, startWith } from "../../fields/generation.ts";
import { applyTemplateDefaults } from "../../pod-spec/template.ts";
import { templateWarnings } from "../../pod-spec/warnings.ts";
import { containerCells } from "../../table/containers.ts";
import { validate, validateUpdate } from "./validation.ts";

type StatefulSet = Kind<V1StatefulSet>;

/** SetDefaults_StatefulSet; the claim templates become whole PersistentVolumeClaims. */
function applyDefaults({ spec }: StatefulSet): void {
  if (!spec) return;
  applyTemplateDefaults(spec);
  spec.podManagementPolicy ||= "OrderedReady";
  spec.updateStrategy ??= {};
  spec.updateStrategy.type ||= "RollingUpdate";
  if (spec.updateStrategy.type === "RollingUpdate") {
    spec.updateStrategy.rollingUpdate ??= {};
    spec.updateStrategy.rollingUpdate.partition ??= 0;
  }
  spec.persistentVolumeClaimRetentionPolicy ??= {};
  spec.persistentVolumeClaimRetentionPolicy.whenDeleted ||= "Retain";
  spec.persistentVolumeClaimRetentionPolicy.whenScaled ||= "Retain";
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.apiVersion ??= "v1";
    claim.kind ??= "PersistentVolumeClaim";
    if (claim.spec) claim.spec.volumeMode ||= "Filesystem";
    claim.status ??= {};
    claim.status.phase ||= "Pending";
  }
}

const startAtZero = startWith({ replicas: 0, availableReplicas: 0 });

/** The feature MaxUnavailableStatefulSet is off by default in 1.36 (KEP-961): the field is in the schema, and is dropped. */
function dropMaxUnavailable({ spec }: StatefulSet, old: StatefulSet | undefined): void {
  const rolling = spec?.updateStrategy?.rollingUpdate;
  if (rolling && old?.spec?.updateStrategy?.rollingUpdate?.maxUnavailable === undefined) delete rolling.maxUnavailable;
}

export const statefulSets = defineKind<StatefulSet>({
  group: "apps",
  resource: "statefulsets",
  applyDefaults,
  prepareForCreate(statefulSet) {
    startAtZero(statefulSet);
    dropMaxUnavailable(statefulSet, undefined);
  },
  prepareForUpdate(statefulSet, old) {
    dropMaxUnavailable(statefulSet, old);
    nextGeneration(statefulSet, old);
  },
  prepareForStatusUpdate: keepSpec,
  validate,
  validateUpdate,
  warnings: (statefulSet) => templateWarnings(statefulSet.spec?.template, "spec.template"),
  cells: ({ metadata, spec, status }, now) => [
    metadata.name,
    `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    ageSince(metadata.creationTimestamp, now),
    ...containerCells(spec?.template),
  ],
});
