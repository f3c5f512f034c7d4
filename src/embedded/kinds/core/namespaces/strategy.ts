import type { V1Namespace } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import { defineKind, type Kind } from "../../define.ts";
import { keep } from "../../fields/generation.ts";

export const namespaces = defineKind<Kind<V1Namespace>>({
  group: "",
  resource: "namespaces",
  applyDefaults(namespace) {
    const name = namespace.metadata.name;
    if (name) namespace.metadata.labels = { ...namespace.metadata.labels, "kubernetes.io/metadata.name": name };
  },
  prepareForCreate(namespace) {
    namespace.status = { phase: "Active" };
    namespace.spec ??= {};
    // The namespace stays until its contents are gone.
    const finalizers = namespace.spec.finalizers ?? [];
    if (!finalizers.includes("kubernetes")) namespace.spec.finalizers = [...finalizers, "kubernetes"];
  },
  prepareForUpdate(namespace, old) {
    keep(namespace, old, "status");
    keep(namespace, old, "spec");
  },
  prepareForStatusUpdate: (namespace, old) => keep(namespace, old, "spec"),
  selectableFields: { "status.phase": (namespace) => namespace.status?.phase ?? "" },
  cells: ({ metadata, status }, now) => [metadata.name, status?.phase ?? "", ageSince(metadata.creationTimestamp, now)],
});
