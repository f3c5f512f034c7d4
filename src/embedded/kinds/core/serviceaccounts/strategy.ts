import type { V1ServiceAccount } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import { defineKind, type Kind } from "../../define.ts";

export const serviceAccounts = defineKind<Kind<V1ServiceAccount>>({
  group: "",
  resource: "serviceaccounts",
  cells: ({ metadata }, now) => [metadata.name, ageSince(metadata.creationTimestamp, now)],
});
