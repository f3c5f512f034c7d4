import type { V1PersistentVolume } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import { parseQuantity } from "../../../api/quantity.ts";
import { defineKind, type Kind } from "../../define.ts";
import { keep } from "../../fields/generation.ts";
import { sortedEntries } from "../../fields/labels.ts";
import { validateNodeSelector } from "../../pod-spec/affinity.ts";
import { accessModes, formatAccessModes, storageClassOf } from "./access-modes.ts";

type PersistentVolume = Kind<V1PersistentVolume>;

const reclaimPolicies = ["Delete", "Recycle", "Retain"];
/** Fields of the spec that are no volume source. */
const ownFields = [
  "accessModes",
  "capacity",
  "claimRef",
  "mountOptions",
  "nodeAffinity",
  "persistentVolumeReclaimPolicy",
  "storageClassName",
  "volumeAttributesClassName",
  "volumeMode",
];

function validate({ spec }: PersistentVolume): FieldError[] {
  const errors: FieldError[] = [];
  if ((spec?.accessModes ?? []).length === 0) errors.push(fieldError.required("spec.accessModes"));
  for (const mode of spec?.accessModes ?? []) {
    if (!accessModes.includes(mode)) errors.push(fieldError.notSupported("spec.accessModes", mode, accessModes));
  }
  const capacity = spec?.capacity ?? {};
  if (Object.keys(capacity).length === 0) errors.push(fieldError.required("spec.capacity"));
  if (capacity["storage"] === undefined || Object.keys(capacity).length > 1) {
    errors.push(fieldError.notSupported("spec.capacity", capacity, ["storage"]));
  }
  for (const [name, text] of sortedEntries(capacity)) {
    if (parseQuantity(text).nano <= 0n) {
      errors.push(fieldError.invalid(`spec.capacity[${name}]`, text, "must be greater than zero"));
    }
  }
  const policy = spec?.persistentVolumeReclaimPolicy;
  if (policy && !reclaimPolicies.includes(policy)) {
    errors.push(fieldError.notSupported("spec.persistentVolumeReclaimPolicy", policy, reclaimPolicies));
  }
  if (spec?.nodeAffinity?.required) {
    errors.push(...validateNodeSelector(spec.nodeAffinity.required, "spec.nodeAffinity.required"));
  }
  const sources = Object.keys(spec ?? {}).filter((field) => !ownFields.includes(field));
  if (sources.length === 0) errors.push(fieldError.required("spec", "must specify a volume type"));
  for (const source of sources.slice(1)) {
    errors.push(fieldError.forbidden(`spec.${source}`, "may not specify more than 1 volume type"));
  }
  return errors;
}

export const persistentVolumes = defineKind<PersistentVolume>({
  group: "",
  resource: "persistentvolumes",
  applyDefaults({ spec }) {
    if (!spec) return;
    spec.persistentVolumeReclaimPolicy ||= "Retain";
    spec.volumeMode ??= "Filesystem";
    if (spec.hostPath) spec.hostPath.type ??= "";
  },
  prepareForCreate(volume) {
    volume.status = { phase: "Pending" };
  },
  prepareForUpdate: (volume, old) => keep(volume, old, "status"),
  prepareForStatusUpdate: (volume, old) => keep(volume, old, "spec"),
  validate,
  cells: ({ metadata, spec, status }, now) => [
    metadata.name,
    spec?.capacity?.["storage"] ?? "0",
    formatAccessModes(spec?.accessModes),
    spec?.persistentVolumeReclaimPolicy ?? "",
    metadata.deletionTimestamp ? "Terminating" : (status?.phase ?? ""),
    spec?.claimRef ? `${spec.claimRef.namespace ?? ""}/${spec.claimRef.name ?? ""}` : "",
    storageClassOf(metadata.annotations, spec?.storageClassName),
    spec?.volumeAttributesClassName ?? "<unset>",
    status?.reason ?? "",
    ageSince(metadata.creationTimestamp, now),
    spec?.volumeMode ?? "<unset>",
  ],
});
