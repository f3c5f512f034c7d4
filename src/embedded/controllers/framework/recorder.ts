import { ApiError } from "../../api/api-error.ts";
import { type Clock, rfc3339, rfc3339Micro } from "../../api/clock.ts";
import type { KubeObject } from "../../api/object.ts";
import type { Api, RequestContext } from "../../registry/api.ts";
import type { EventRecorder } from "./event-recorder.ts";

type Options = Parameters<EventRecorder["record"]>[4];

interface Reference {
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiVersion?: string;
  resourceVersion?: string;
  fieldPath?: string;
}

interface Seen {
  name: string;
  namespace: string;
  count: number;
  firstTimestamp: string;
  at: number;
}

/** How many objects' repetitions are remembered (client-go keeps 4096 keys in an LRU cache). */
const remembered = 4096;
/** More than this many events that differ only in their message are shown as one, for `aggregationWindow`. */
const aggregateAfter = 10;
const aggregationWindow = 10 * 60_000;
/** A source may write this many events about one object at once, then one every five minutes. */
const burst = 25;
const refillInterval = 5 * 60_000;
/** The broadcaster of events.k8s.io forgets an event that has not come again for six minutes. */
const seriesWindow = 6 * 60_000;

/**
 * The recorder of one component. Events about objects of a namespace that is gone or going are dropped: the API
 * server refuses them. Folding, aggregation and the limit per object follow k8s.io/client-go/tools/record
 * (EventCorrelator) and, for events with an action, k8s.io/client-go/tools/events.
 */
export class ApiEventRecorder implements EventRecorder {
  private readonly seen = new Map<string, Seen>();
  private readonly series = new Map<string, Seen>();
  private readonly similar = new Map<string, { messages: Set<string>; at: number }>();
  private readonly tokens = new Map<string, { left: number; at: number }>();
  private lastNanos = 0n;

  constructor(
    private readonly api: Api,
    private readonly clock: Clock,
    private readonly as: RequestContext,
    private readonly log: (message: string) => void = () => {},
  ) {}

  record(about: KubeObject, type: "Normal" | "Warning", reason: string, message: string, options: Options): void {
    try {
      if (options.action === undefined) this.recordCounted(reference(about, options), type, reason, message, options);
      else this.recordSeries(reference(about, options), type, reason, message, options, options.action);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // A namespace that is gone or terminating takes no more events: not worth a word.
      if (error.code !== 403 && error.code !== 404) this.log(`event ${reason} of ${about.kind}: ${error.message}`);
    }
  }

  private recordCounted(involvedObject: Reference, type: string, reason: string, text: string, options: Options): void {
    const now = this.clock.now();
    const { name = "", uid = "", kind = "" } = involvedObject;
    const source = `${options.component}|${options.host ?? ""}|${kind}|${involvedObject.namespace}|${name}|${uid}`;
    const kindOfEvent = `${source}|${involvedObject.fieldPath ?? ""}|${type}|${reason}`;
    const { key, message } = this.aggregate(kindOfEvent, text, now);
    const before = this.seen.get(key);
    if (!this.take(source, now)) return;
    const lastTimestamp = rfc3339(now);
    if (before !== undefined) {
      const count = before.count + 1;
      if (this.patch(before, { count, lastTimestamp, message })) {
        remember(this.seen, key, { ...before, count, at: now });
        return;
      }
    }
    const event = this.event(involvedObject, type, reason, message, {
      source: { component: options.component, ...(options.host === undefined ? {} : { host: options.host }) },
      firstTimestamp: lastTimestamp,
      lastTimestamp,
      count: 1,
      eventTime: null,
      reportingComponent: options.component,
      reportingInstance: options.host ?? "",
    });
    this.create(event);
    remember(this.seen, key, { ...event.metadata, count: 1, firstTimestamp: lastTimestamp, at: now });
  }

  private recordSeries(
    involvedObject: Reference,
    type: string,
    reason: string,
    message: string,
    options: Options,
    action: string,
  ): void {
    const now = this.clock.now();
    const key = JSON.stringify([
      type,
      action,
      reason,
      options.component,
      involvedObject,
      options.related?.metadata.uid,
    ]);
    const before = this.series.get(key);
    if (before !== undefined && now - before.at < seriesWindow) {
      const count = before.count + 1;
      const series = { count, lastObservedTime: rfc3339Micro(now) };
      if (this.patch(before, { series })) {
        remember(this.series, key, { ...before, count, at: now });
        return;
      }
    }
    const event = this.event(involvedObject, type, reason, message, {
      source: {},
      firstTimestamp: null,
      lastTimestamp: null,
      eventTime: rfc3339Micro(now),
      action,
      ...(options.related === undefined ? {} : { related: reference(options.related, { component: "" }) }),
      reportingComponent: options.component,
      reportingInstance: options.host ?? options.component,
    });
    this.create(event);
    remember(this.series, key, { ...event.metadata, count: 1, firstTimestamp: "", at: now });
  }

  private event(about: Reference, type: string, reason: string, message: string, rest: Record<string, unknown>) {
    // Names must differ even for events of the same millisecond: they carry nanoseconds, as client-go's.
    const nanos = BigInt(this.clock.now()) * 1_000_000n;
    this.lastNanos = nanos > this.lastNanos ? nanos + BigInt(process.hrtime()[1] % 1_000_000) : this.lastNanos + 1n;
    const namespace = about.namespace || "default";
    return {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: `${about.name}.${this.lastNanos.toString(16)}`, namespace },
      involvedObject: about,
      reason,
      // The API server takes no more than a kilobyte.
      message: message.length > 1024 ? `${message.slice(0, 1020)} ...` : message,
      type,
      ...rest,
    };
  }

  private create(event: { metadata: { name: string; namespace: string } }): void {
    const { namespace, name } = event.metadata;
    this.api.create({ group: "", resource: "events", namespace, name }, event, this.as);
  }

  /** False when the Event is gone meanwhile and has to be written anew. */
  private patch(event: Seen, change: Record<string, unknown>): boolean {
    const target = { group: "", resource: "events", namespace: event.namespace, name: event.name };
    try {
      this.api.patch(target, "application/strategic-merge-patch+json", change, this.as);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return false;
      throw error;
    }
  }

  private aggregate(kindOfEvent: string, message: string, now: number): { key: string; message: string } {
    const group = this.similar.get(kindOfEvent);
    const current = group === undefined || now - group.at > aggregationWindow ? new Set<string>() : group.messages;
    current.add(message);
    this.similar.delete(kindOfEvent);
    this.similar.set(kindOfEvent, { messages: current, at: now });
    trim(this.similar);
    if (current.size < aggregateAfter) return { key: `${kindOfEvent}|${message}`, message };
    return { key: kindOfEvent, message: `(combined from similar events): ${message}` };
  }

  private take(source: string, now: number): boolean {
    const bucket = this.tokens.get(source) ?? { left: burst, at: now };
    const left = Math.min(burst, bucket.left + (now - bucket.at) / refillInterval);
    this.tokens.delete(source);
    this.tokens.set(source, { left: left >= 1 ? left - 1 : left, at: now });
    trim(this.tokens);
    return left >= 1;
  }
}

function reference(object: KubeObject, options: Options): Reference {
  const { name, namespace, uid, resourceVersion } = object.metadata;
  return {
    kind: object.kind,
    ...(namespace ? { namespace } : {}),
    name,
    ...(uid === undefined ? {} : { uid }),
    apiVersion: object.apiVersion,
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(options.fieldPath === undefined ? {} : { fieldPath: options.fieldPath }),
  };
}

function remember(map: Map<string, Seen>, key: string, value: Seen): void {
  map.delete(key);
  map.set(key, {
    name: value.name,
    namespace: value.namespace,
    count: value.count,
    firstTimestamp: value.firstTimestamp,
    at: value.at,
  });
  trim(map);
}

function trim(map: Map<string, unknown>): void {
  if (map.size <= remembered) return;
  const oldest = map.keys().next().value;
  if (oldest !== undefined) map.delete(oldest);
}
