import type { CoreV1Event } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import type { Kind } from "../../define.ts";

export type Event = Kind<CoreV1Event>;

export function cells(event: Event, now: number): unknown[] {
  const first = ageSince(event.firstTimestamp ?? event.eventTime, now);
  const last = event.series?.lastObservedTime ?? event.lastTimestamp;
  const kind = (event.involvedObject.kind ?? "").toLowerCase();
  const component = event.source?.component || event.reportingComponent || "";
  const instance = event.source?.host || event.reportingInstance || "";
  return [
    last ? ageSince(last, now) : first,
    event.type ?? "",
    event.reason ?? "",
    event.involvedObject.name ? `${kind}/${event.involvedObject.name}` : kind,
    event.involvedObject.fieldPath ?? "",
    instance === "" ? component : `${component}, ${instance}`,
    (event.message ?? "").trim(),
    first,
    event.series?.count ?? (event.count || 1),
    event.metadata.name,
  ];
}
