import { beforeEach, describe, expect, test } from "vitest";
import { FakeClock } from "../../../src/embedded/api/clock.ts";
import type { RequestContext } from "../../../src/embedded/registry/api.ts";
import { createSystemObjects } from "../../../src/embedded/registry/bootstrap/system-objects.ts";
import { createApi } from "../../../src/embedded/registry/create-api.ts";
import type { Registry } from "../../../src/embedded/registry/registry.ts";
import { MemoryStore } from "../../../src/embedded/store/memory-store.ts";

const as: RequestContext = { user: { username: "kubernetes-admin", groups: ["system:masters"] } };
const classes = { group: "scheduling.k8s.io", resource: "priorityclasses" };
const pods = { group: "", resource: "pods", namespace: "default" };

describe("a Pod's priority", () => {
  let api: Registry;
  beforeEach(() => {
    api = createApi({ store: new MemoryStore(), clock: new FakeClock() });
    createSystemObjects(api);
    api.create({ group: "", resource: "serviceaccounts", namespace: "default" }, { metadata: { name: "default" } }, as);
  });
  const createClass = (name: string, value: number, more = {}) =>
    api.create(classes, { metadata: { name }, value, ...more }, as);
  const createPod = (spec = {}) =>
    api.create(pods, { metadata: { name: "web" }, spec: { containers: [{ name: "c", image: "nginx" }], ...spec } }, as);

  test("comes from its class", () => {
    createClass("calm", 1000, { preemptionPolicy: "Never" });
    expect(createPod({ priorityClassName: "calm" })).toMatchObject({
      spec: { priority: 1000, preemptionPolicy: "Never" },
    });
  });

  test("comes from the default class when it names none", () => {
    createClass("usual", 10, { globalDefault: true });
    expect(createPod()).toMatchObject({ spec: { priorityClassName: "usual", priority: 10 } });
  });

  test.each([
    [{ priorityClassName: "none" }, "no PriorityClass with name none was found"],
    [
      { priority: 7 },
      "the integer value of priority (7) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name",
    ],
    [
      { preemptionPolicy: "Never" },
      "the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name",
    ],
  ])("is not the Pod's own to say: %j", (spec, why) => {
    expect(() => createPod(spec)).toThrow(`pods "web" is forbidden: ${why}`);
  });

  test("has one default class", () => {
    createClass("usual", 10, { globalDefault: true });
    const refusal = "PriorityClass usual is already marked as default. Only one default can exist";
    expect(() => createClass("other", 20, { globalDefault: true })).toThrow(
      `priorityclasses.scheduling.k8s.io "other" is forbidden: ${refusal}`,
    );
    createClass("other", 20);
    const other = { ...classes, name: "other" };
    const patch = (globalDefault: boolean) => api.patch(other, "application/merge-patch+json", { globalDefault }, as);
    expect(() => patch(true)).toThrow(refusal);
    api.patch({ ...classes, name: "usual" }, "application/merge-patch+json", { description: "of old" }, as);
  });
});
