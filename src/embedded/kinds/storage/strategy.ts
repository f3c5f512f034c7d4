import type {
  V1CSIDriver,
  V1CSINode,
  V1CSIStorageCapacity,
  V1VolumeAttachment,
  V1VolumeAttributesClass,
} from "@kubernetes/client-node";
import { fieldError } from "../../api/field-error.ts";
import { qualifiedNameErrors } from "../../api/names.ts";
import { defineKind, type Kind } from "../define.ts";
import { keep } from "../fields/generation.ts";
import { immutable, named } from "../fields/names.ts";
import { nameAndAge } from "../table/name-and-age.ts";

const group = "storage.k8s.io";

export const csiDrivers = defineKind<Kind<V1CSIDriver>>({
  group,
  resource: "csidrivers",
  applyDefaults({ spec }) {
    if (!spec) return;
    spec.attachRequired ??= true;
    spec.podInfoOnMount ??= false;
    spec.storageCapacity ??= false;
    spec.fsGroupPolicy ??= "ReadWriteOnceWithFSType";
    if ((spec.volumeLifecycleModes ?? []).length === 0) spec.volumeLifecycleModes = ["Persistent"];
    spec.requiresRepublish ??= false;
    spec.seLinuxMount ??= false;
  },
  cells: nameAndAge(({ spec }) => [
    spec?.attachRequired ?? true,
    spec?.podInfoOnMount ?? false,
    spec?.storageCapacity ?? false,
    spec?.tokenRequests ? spec.tokenRequests.map((t) => t.audience).join(",") : "<unset>",
    spec?.requiresRepublish ?? false,
    (spec?.volumeLifecycleModes ?? []).join(",") || "<none>",
  ]),
});

export const csiNodes = defineKind<Kind<V1CSINode>>({
  group,
  resource: "csinodes",
  cells: nameAndAge(({ spec }) => [(spec?.drivers ?? []).length]),
});

export const csiStorageCapacities = defineKind<Kind<V1CSIStorageCapacity>>({
  group,
  resource: "csistoragecapacities",
  cells: ({ metadata }) => [metadata.name, metadata.creationTimestamp],
});

export const volumeAttachments = defineKind<Kind<V1VolumeAttachment>>({
  group,
  resource: "volumeattachments",
  prepareForUpdate: (attachment, old) => keep(attachment, old, "status"),
  prepareForStatusUpdate: (attachment, old) => keep(attachment, old, "spec"),
  validateUpdate: (attachment, old) => immutable(attachment.spec, old.spec, "spec"),
  cells: nameAndAge(({ spec, status }) => [
    spec?.attacher ?? "",
    spec?.source?.persistentVolumeName ?? "",
    spec?.nodeName ?? "",
    status?.attached ?? false,
  ]),
});

export const volumeAttributesClasses = defineKind<Kind<V1VolumeAttributesClass>>({
  group,
  resource: "volumeattributesclasses",
  validate: ({ driverName }) =>
    driverName
      ? named(driverName.toLowerCase(), "driverName", qualifiedNameErrors)
      : [fieldError.required("driverName")],
  validateUpdate: (attributesClass, old) => [
    ...immutable(attributesClass.driverName, old.driverName, "driverName"),
    ...immutable(attributesClass.parameters, old.parameters, "parameters"),
  ],
  cells: nameAndAge(({ driverName }) => [driverName ?? ""]),
});
