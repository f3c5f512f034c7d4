import type { V1ControllerRevision } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import type { KubeObject } from "../../../api/object.ts";
import { defineKind, type Kind } from "../../define.ts";
import { immutable } from "../../fields/names.ts";
import { nonNegative } from "../../fields/numbers.ts";

type ControllerRevision = Kind<V1ControllerRevision>;

function validate(revision: ControllerRevision): FieldError[] {
  const errors = nonNegative(revision.revision, "revision");
  const data = revision.data as unknown;
  if (data === undefined || data === null) errors.push(fieldError.required("data", "data is mandatory"));
  else if (typeof data !== "object" || Array.isArray(data)) {
    errors.push(fieldError.required("data", "data must be a valid JSON object"));
  }
  return errors;
}

/** `daemonset.apps/node-agent`, or `<none>`. */
function controller({ metadata }: KubeObject): string {
  const owner = metadata.ownerReferences?.find((reference) => reference.controller);
  if (!owner) return "<none>";
  const group = owner.apiVersion.includes("/") ? `.${owner.apiVersion.split("/")[0]}` : "";
  return `${owner.kind.toLowerCase()}${group}/${owner.name}`;
}

export const controllerRevisions = defineKind<ControllerRevision>({
  group: "apps",
  resource: "controllerrevisions",
  validate,
  validateUpdate: (revision, old) => immutable(revision.data, old.data, "data"),
  cells: (revision, now) => [
    revision.metadata.name,
    controller(revision),
    revision.revision ?? 0,
    ageSince(revision.metadata.creationTimestamp, now),
  ],
});
