import type { V1Node } from "@kubernetes/client-node";
import { defineKind, type Kind } from "../../define.ts";
import { keep } from "../../fields/generation.ts";
import { cells } from "./cells.ts";
import { validate, validateUpdate } from "./validation.ts";

export const nodes = defineKind<Kind<V1Node>>({
  group: "",
  resource: "nodes",
  applyDefaults(node) {
    node.spec ??= {};
    if (node.spec.podCIDR && !node.spec.podCIDRs) node.spec.podCIDRs = [node.spec.podCIDR];
    if (node.status?.capacity && !node.status.allocatable) node.status.allocatable = { ...node.status.capacity };
  },
  // A new Node brings its status along: that is how a kubelet registers.
  prepareForUpdate: (node, old) => keep(node, old, "status"),
  prepareForStatusUpdate: (node, old) => keep(node, old, "spec"),
  validate,
  validateUpdate,
  selectableFields: { "spec.unschedulable": (node) => String(node.spec?.unschedulable ?? false) },
  cells,
});
