import { type FieldError, fieldError } from "../../../api/field-error.ts";
import { defineKind } from "../../define.ts";
import { cells, type Event } from "./cells.ts";

/** An event of a namespaced object is in its namespace; those of nodes and the like are in `default`. */
function validate(event: Event): FieldError[] {
  const about = event.involvedObject?.namespace ?? "";
  const own = event.metadata.namespace ?? "";
  if (about === own || (about === "" && (own === "default" || own === "kube-system"))) return [];
  return [fieldError.invalid("involvedObject.namespace", about, "does not match event.namespace")];
}

export const events = defineKind<Event>({
  group: "",
  resource: "events",
  validate,
  allowCreateOnUpdate: true,
  selectableFields: {
    "involvedObject.kind": (event) => event.involvedObject.kind ?? "",
    "involvedObject.namespace": (event) => event.involvedObject.namespace ?? "",
    "involvedObject.name": (event) => event.involvedObject.name ?? "",
    "involvedObject.uid": (event) => event.involvedObject.uid ?? "",
    "involvedObject.apiVersion": (event) => event.involvedObject.apiVersion ?? "",
    "involvedObject.resourceVersion": (event) => event.involvedObject.resourceVersion ?? "",
    "involvedObject.fieldPath": (event) => event.involvedObject.fieldPath ?? "",
    reason: (event) => event.reason ?? "",
    reportingComponent: (event) => event.reportingComponent ?? "",
    source: (event) => event.source?.component || event.reportingComponent || "",
    type: (event) => event.type ?? "",
  },
  cells,
});
