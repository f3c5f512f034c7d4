import type { V1PersistentVolumeClaim } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import { defineKind, type Kind } from "../../define.ts";
import { keep } from "../../fields/generation.ts";
import { formatAccessModes, storageClassOf } from "../persistentvolumes/access-modes.ts";
import { validate, validateUpdate } from "./validation.ts";

export const persistentVolumeClaims = defineKind<Kind<V1PersistentVolumeClaim>>({
  group: "",
  resource: "persistentvolumeclaims",
  applyDefaults({ spec }) {
    if (spec) spec.volumeMode ||= "Filesystem";
  },
  prepareForCreate(claim) {
    claim.status = { phase: "Pending" };
  },
  prepareForUpdate: (claim, old) => keep(claim, old, "status"),
  prepareForStatusUpdate: (claim, old) => keep(claim, old, "spec"),
  validate,
  validateUpdate,
  cells: ({ metadata, spec, status }, now) => [
    metadata.name,
    metadata.deletionTimestamp ? "Terminating" : (status?.phase ?? ""),
    spec?.volumeName ?? "",
    spec?.volumeName ? (status?.capacity?.["storage"] ?? "0") : "",
    spec?.volumeName ? formatAccessModes(status?.accessModes) : "",
    storageClassOf(metadata.annotations, spec?.storageClassName),
    spec?.volumeAttributesClassName ?? "<unset>",
    ageSince(metadata.creationTimestamp, now),
    spec?.volumeMode ?? "<unset>",
  ],
});
