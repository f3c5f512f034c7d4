import type { V1Pod } from "@kubernetes/client-node";
import { defineKind, type Kind } from "../../define.ts";
import { nameWarnings, podWarnings } from "../../pod-spec/warnings.ts";
import { cells } from "./cells.ts";
import { applyDefaults } from "./defaults.ts";
import { gracePeriod, prepareForCreate, prepareForStatusUpdate, prepareForUpdate } from "./prepare.ts";
import { ephemeralContainers, resize } from "./subresources.ts";
import { validate, validateUpdate } from "./validation.ts";

export const pods = defineKind<Kind<V1Pod>>({
  group: "",
  resource: "pods",
  applyDefaults,
  prepareForCreate,
  prepareForUpdate,
  prepareForStatusUpdate,
  validate,
  validateUpdate,
  subresources: { ephemeralcontainers: ephemeralContainers, resize },
  warnings: (pod, old) => [
    ...nameWarnings(pod.metadata.name, !old, "the Pod's hostname"),
    ...(pod.spec ? podWarnings(pod.spec, pod.metadata.annotations, "") : []),
  ],
  selectableFields: {
    "spec.nodeName": (pod) => pod.spec?.nodeName ?? "",
    "spec.restartPolicy": (pod) => pod.spec?.restartPolicy ?? "",
    "spec.schedulerName": (pod) => pod.spec?.schedulerName ?? "",
    "spec.serviceAccountName": (pod) => pod.spec?.serviceAccountName ?? "",
    "spec.hostNetwork": (pod) => String(pod.spec?.hostNetwork ?? false),
    "status.phase": (pod) => pod.status?.phase ?? "",
    "status.podIP": (pod) => pod.status?.podIPs?.[0]?.ip ?? "",
    "status.nominatedNodeName": (pod) => pod.status?.nominatedNodeName ?? "",
  },
  cells,
  gracePeriod,
});
