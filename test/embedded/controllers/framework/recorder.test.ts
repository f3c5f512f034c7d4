import { describe, expect, it } from "vitest";
import { FakeClock } from "../../../../src/embedded/api/clock.ts";
import type { KubeObject } from "../../../../src/embedded/api/object.ts";
import { ApiEventRecorder } from "../../../../src/embedded/controllers/framework/recorder.ts";
import { namespaces } from "../../../../src/embedded/controllers/framework/resources.ts";
import { createApi } from "../../../../src/embedded/registry/create-api.ts";
import { MemoryStore } from "../../../../src/embedded/store/memory-store.ts";
import { asNobody } from "../../fixture/control-plane.ts";

function recording() {
  const clock = new FakeClock();
  const store = new MemoryStore();
  const api = createApi({ store, clock });
  api.create(
    { ...namespaces, name: "lab" },
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "lab" } },
    asNobody,
  );
  const problems: string[] = [];
  const recorder = new ApiEventRecorder(api, clock, asNobody, (m) => problems.push(m));
  const about = (name: string, namespace = "lab") =>
    ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace, uid: `uid-${name}`, resourceVersion: "7" },
    }) as KubeObject;
  const events = () => store.list({ group: "", resource: "events" });
  return { clock, recorder, about, events, problems };
}

describe("An Event", () => {
  it("is named after its object and carries who, when and about what", () => {
    const { recorder, about, events } = recording();
    recorder.record(about("web"), "Normal", "Started", "Container started", {
      component: "kubelet",
      host: "lab-worker",
      fieldPath: "spec.containers{agent}",
    });
    const [event] = events();
    expect(event?.metadata.name).toMatch(/^web\.[0-9a-f]{16}$/);
    expect(event).toMatchObject({
      involvedObject: {
        kind: "Pod",
        namespace: "lab",
        name: "web",
        uid: "uid-web",
        fieldPath: "spec.containers{agent}",
      },
      source: { component: "kubelet", host: "lab-worker" },
      reportingComponent: "kubelet",
      reportingInstance: "lab-worker",
      firstTimestamp: "2026-01-01T00:00:00Z",
      lastTimestamp: "2026-01-01T00:00:00Z",
      count: 1,
    });
  });

  it("that comes again is counted, not written anew", () => {
    const { clock, recorder, about, events } = recording();
    for (let i = 0; i < 3; i++) {
      recorder.record(about("web"), "Warning", "BackOff", "Back-off", { component: "kubelet" });
      clock.advance(10_000);
    }
    expect(events()).toHaveLength(1);
    expect(events()[0]).toMatchObject({
      count: 3,
      firstTimestamp: "2026-01-01T00:00:00Z",
      lastTimestamp: "2026-01-01T00:00:20Z",
    });
  });

  it("that differs from many others in its message only is combined with them", () => {
    const { recorder, about, events } = recording();
    for (let i = 0; i < 12; i++)
      recorder.record(about("web"), "Normal", "Created", `Pod ${i}`, { component: "job-controller" });
    const messages = events().map((e) => String(e["message"]));
    expect(messages).toContain("(combined from similar events): Pod 11");
    expect(messages).toHaveLength(10);
  });

  it("stops coming when one object has too many", () => {
    const { clock, recorder, about, events } = recording();
    for (let i = 0; i < 40; i++) recorder.record(about("web"), "Normal", `Reason${i}`, "again", { component: "c" });
    expect(events()).toHaveLength(25);
    clock.advance(5 * 60_000);
    recorder.record(about("web"), "Normal", "Later", "again", { component: "c" });
    expect(events()).toHaveLength(26);
  });

  it("with an action has a time and a series, as the scheduler's have", () => {
    const { clock, recorder, about, events } = recording();
    const options = { component: "default-scheduler", action: "Scheduling" };
    recorder.record(about("web"), "Warning", "FailedScheduling", "0/3 nodes are available", options);
    clock.advance(1000);
    recorder.record(about("web"), "Warning", "FailedScheduling", "0/3 nodes are available", options);
    expect(events()).toHaveLength(1);
    expect(events()[0]).toMatchObject({
      action: "Scheduling",
      eventTime: "2026-01-01T00:00:00.000000Z",
      reportingComponent: "default-scheduler",
      series: { count: 2, lastObservedTime: "2026-01-01T00:00:01.000000Z" },
    });
    expect(events()[0]?.["firstTimestamp"] ?? null).toBeNull();
  });

  it("about an object of a namespace that is gone is dropped without a word", () => {
    const { recorder, about, events, problems } = recording();
    recorder.record(about("web", "gone"), "Normal", "Killing", "Stopping container agent", { component: "kubelet" });
    expect(events()).toEqual([]);
    expect(problems).toEqual([]);
  });
});
