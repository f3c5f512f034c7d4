import type { V1RuntimeClass } from "@kubernetes/client-node";
import { dns1123LabelErrors } from "../../api/names.ts";
import { defineKind, type Kind } from "../define.ts";
import { immutable, named } from "../fields/names.ts";
import { nameAndAge } from "../table/name-and-age.ts";

export const runtimeClasses = defineKind<Kind<V1RuntimeClass>>({
  group: "node.k8s.io",
  resource: "runtimeclasses",
  validate: ({ handler }) => named(handler ?? "", "handler", dns1123LabelErrors),
  validateUpdate: (runtimeClass, old) => immutable(runtimeClass.handler, old.handler, "handler"),
  cells: nameAndAge(({ handler }) => [handler ?? ""]),
});
