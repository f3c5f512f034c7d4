import type { V1Secret } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import { defineKind, type Kind } from "../../define.ts";
import { validate, validateUpdate } from "./validation.ts";

type Secret = Kind<V1Secret>;

/** stringData is write-only: it becomes data, encoded. */
function encodeStringData(secret: Secret): void {
  if (!secret.stringData) return;
  secret.data = { ...secret.data };
  for (const [key, text] of Object.entries(secret.stringData)) secret.data[key] = Buffer.from(text).toString("base64");
  delete secret.stringData;
}

export const secrets = defineKind<Secret>({
  group: "",
  resource: "secrets",
  applyDefaults(secret) {
    secret.type ||= "Opaque";
    encodeStringData(secret);
  },
  prepareForUpdate(secret, old) {
    // A client that leaves the type out keeps it.
    if (!secret.type) secret.type = old.type;
  },
  validate,
  validateUpdate,
  updateErrorsFirst: true,
  selectableFields: { type: (secret) => secret.type ?? "" },
  cells: ({ metadata, type, data }, now) => [
    metadata.name,
    type ?? "",
    Object.keys(data ?? {}).length,
    ageSince(metadata.creationTimestamp, now),
  ],
});
