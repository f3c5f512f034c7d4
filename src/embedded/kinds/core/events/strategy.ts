import { type FieldError, fieldError } from "../../../api/field-error.ts";
import { defineKind } from "../../define.ts";
import { cells, type Event } from "./cells.ts";
import { fromEventsV1, toEventsV1 } from "./conversion.ts";

/** An event of a namespaced object is in its namespace; those of nodes and the like are in `default`. */
function validate(event: Event): FieldError[] {
  const about = event.involvedObject?.namespace ?? "";
  const own = event.metadata.namespace ?? "";
  if (about === own || (about === "" && (own === "default" || own === "kube-system"))) return [];
  return [fieldError.invalid("involvedObject.namespace", about, "does not match event.namespace")];
}

const selectableFields: Record<string, (event: Event) => string> = {
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
};

export const events = defineKind<Event>({
  group: "",
  resource: "events",
  validate,
  allowCreateOnUpdate: true,
  selectableFields,
  cells,
});

const stored = (event: Event): Event => (event.apiVersion === "v1" ? event : (fromEventsV1(event) as Event));

/** The same fields under the names of events.k8s.io/v1. */
const selectableFieldsV1 = Object.fromEntries(
  Object.entries(selectableFields)
    .filter(([label]) => label !== "source")
    .map(([label, read]) => [
      label.replace("involvedObject", "regarding").replace("reportingComponent", "reportingController"),
      (event: Event) => read(stored(event)),
    ]),
);

/** The same events by their newer API; stored as core events. */
export const eventsV1 = defineKind<Event>({
  group: "events.k8s.io",
  resource: "events",
  applyDefaults(event) {
    if (event.apiVersion !== "events.k8s.io/v1") return;
    const stored = fromEventsV1(event);
    for (const field of Object.keys(event)) delete event[field];
    Object.assign(event, stored);
  },
  validate,
  allowCreateOnUpdate: true,
  selectableFields: selectableFieldsV1,
  fromStored: { v1: toEventsV1 },
  cells: (event, now) => cells(stored(event), now),
});
