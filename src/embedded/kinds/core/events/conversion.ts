import type { KubeObject } from "../../../api/object.ts";

/** Core events and those of events.k8s.io are the same objects; these fields have other names. */
const renamed = {
  message: "note",
  involvedObject: "regarding",
  source: "deprecatedSource",
  firstTimestamp: "deprecatedFirstTimestamp",
  lastTimestamp: "deprecatedLastTimestamp",
  count: "deprecatedCount",
  reportingComponent: "reportingController",
};

/** An events.k8s.io/v1 Event as it is stored: a core/v1 Event. */
export function fromEventsV1(event: KubeObject): KubeObject {
  return rename(event, "v1", Object.fromEntries(Object.entries(renamed).map(([core, own]) => [own, core])));
}

/** What a client of events.k8s.io/v1 sees of a stored Event. */
export function toEventsV1(event: KubeObject): KubeObject {
  return rename(event, "events.k8s.io/v1", renamed);
}

function rename(event: KubeObject, apiVersion: string, names: Record<string, string>): KubeObject {
  const fields = Object.entries(event).map(([field, value]) => [names[field] ?? field, value]);
  return { ...(Object.fromEntries(fields) as KubeObject), apiVersion };
}
