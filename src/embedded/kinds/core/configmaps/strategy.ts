import type { V1ConfigMap } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import { defineKind, type Kind } from "../../define.ts";
import { validate, validateUpdate } from "./validation.ts";

export const configMaps = defineKind<Kind<V1ConfigMap>>({
  group: "",
  resource: "configmaps",
  validate,
  validateUpdate,
  updateErrorsFirst: true,
  cells: ({ metadata, data, binaryData }, now) => [
    metadata.name,
    Object.keys(data ?? {}).length + Object.keys(binaryData ?? {}).length,
    ageSince(metadata.creationTimestamp, now),
  ],
});
