import { beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../src/embedded/api/clock.ts";
import type { RequestContext } from "../../../src/embedded/registry/api.ts";
import { createSystemObjects } from "../../../src/embedded/registry/bootstrap/system-objects.ts";
import { createApi } from "../../../src/embedded/registry/create-api.ts";
import type { Registry } from "../../../src/embedded/registry/registry.ts";
import { MemoryStore } from "../../../src/embedded/store/memory-store.ts";

const daemonSets = { group: "apps", resource: "daemonsets", version: "v1", namespace: "lab" };
const one = { ...daemonSets, name: "node-agent" };
const as = (more: Partial<RequestContext> = {}): RequestContext => ({
  user: { username: "kubernetes-admin", groups: ["system:masters"] },
  fieldManager: "kubectl",
  warnings: [],
  ...more,
});
const nodeAgent = () => ({
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  metadata: { name: "node-agent", labels: { app: "node-agent" } },
  spec: {
    selector: { matchLabels: { app: "node-agent" } },
    template: {
      metadata: { labels: { app: "node-agent" } },
      spec: { containers: [{ name: "agent", image: "busybox:1.36", command: ["sleep", "infinity"] }] },
    },
  },
});

describe("the registry", () => {
  let api: Registry;
  beforeEach(() => {
    api = createApi({ store: new MemoryStore(), clock: systemClock });
    createSystemObjects(api);
    api.create({ group: "", resource: "namespaces" }, { metadata: { name: "lab" } }, as());
  });

  test("creates an object with defaults, as the recorded YAML shows it", () => {
    const made = api.create(daemonSets, nodeAgent(), as());
    expect(made).toMatchObject({
      metadata: { generation: 1, annotations: { "deprecated.daemonset.template.generation": "1" }, namespace: "lab" },
      spec: {
        revisionHistoryLimit: 10,
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
        template: {
          spec: {
            containers: [{ imagePullPolicy: "IfNotPresent", resources: {}, terminationMessagePolicy: "File" }],
            restartPolicy: "Always",
            securityContext: {},
          },
        },
      },
      status: { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 },
    });
  });

  test.each([
    ["application/strategic-merge-patch+json", { spec: { replicas: 5 } }],
    ["application/merge-patch+json", { spec: { replicas: 5 } }],
    ["application/json-patch+json", [{ op: "add", path: "/spec/replicas", value: 5 }]],
  ] as const)("a replicas patch (%s) warns and changes nothing at all", (type, patch) => {
    const made = api.create(daemonSets, nodeAgent(), as());
    const context = as({ fieldValidation: "Warn" });
    const { object } = api.patch(one, type, patch, context);
    expect(context.warnings).toEqual(['unknown field "spec.replicas"']);
    expect(object).toEqual(made);
  });

  test("a strict patch is refused in the recorded words", () => {
    api.create(daemonSets, nodeAgent(), as());
    expect(() =>
      api.patch(
        one,
        "application/strategic-merge-patch+json",
        { spec: { replicas: 5 } },
        as({ fieldValidation: "Strict" }),
      ),
    ).toThrow(
      'patch: Invalid value: "map[spec:map[replicas:5]]": strict decoding error: unknown field "spec.replicas"',
    );
  });

  test("null in a strategic merge patch removes a nodeSelector, once", () => {
    api.create(daemonSets, nodeAgent(), as());
    const set = (value: unknown) =>
      api.patch(
        one,
        "application/strategic-merge-patch+json",
        { spec: { template: { spec: { nodeSelector: value } } } },
        as(),
      ).object;
    expect(set({ disk: "ssd" }).metadata.generation).toBe(2);
    const removed = set(null);
    expect(removed.metadata.generation).toBe(3);
    expect(set(null)).toBe(removed);
  });

  test("an update from an old version is a conflict", () => {
    const made = api.create(daemonSets, nodeAgent(), as());
    api.patch(one, "application/merge-patch+json", { metadata: { labels: { a: "b" } } }, as());
    expect(() => api.update(one, { ...nodeAgent(), metadata: { ...made.metadata } }, as())).toThrow(
      'Operation cannot be fulfilled on daemonsets.apps "node-agent": the object has been modified; please apply your changes to the latest version and try again',
    );
  });

  test("a finalizer keeps an object until it is taken away", () => {
    const body = nodeAgent();
    api.create(daemonSets, { ...body, metadata: { ...body.metadata, finalizers: ["example.org/keep"] } }, as());
    expect(api.delete(one, {}, as()).deleted).toBe(false);
    expect(api.get(one, as()).metadata.deletionTimestamp).toBeDefined();
    api.patch(one, "application/merge-patch+json", { metadata: { finalizers: null } }, as());
    expect(() => api.get(one, as())).toThrow('daemonsets.apps "node-agent" not found');
  });

  test("server-side apply creates, leaves alone, and refuses what the schema does not know", () => {
    const type = "application/apply-patch+yaml" as const;
    expect(api.patch(one, type, nodeAgent(), as()).created).toBe(true);
    const first = api.get(one, as());
    expect(api.patch(one, type, nodeAgent(), as()).object).toBe(first);
    const body = nodeAgent();
    expect(() => api.patch(one, type, { ...body, spec: { ...body.spec, replicas: 5 } }, as())).toThrow(
      "failed to create typed patch object (lab/node-agent; apps/v1, Kind=DaemonSet): .spec.replicas: field not declared in schema",
    );
  });

  test("pages show the state of the first page", () => {
    const maps = { group: "", resource: "configmaps", namespace: "lab" };
    for (let i = 0; i < 5; i += 1) api.create(maps, { metadata: { name: `m${i}` } }, as());
    const first = api.list(maps, { limit: 2 }, as());
    expect(first.metadata.remainingItemCount).toBe(3);
    api.delete({ ...maps, name: "m3" }, {}, as());
    const rest = api.list(maps, { limit: 10, continue: first.metadata.continue }, as());
    expect(rest.items.map((o) => o.metadata.name)).toEqual(["m2", "m3", "m4"]);
    expect(rest.metadata).toEqual({ resourceVersion: first.metadata.resourceVersion });
  });

  test("a watch with a selector sees objects come and go", () => {
    const maps = { group: "", resource: "configmaps", namespace: "lab" };
    const seen: string[] = [];
    const stop = api.watch(maps, { labelSelector: "a=b" }, (e) => seen.push(e.type), as());
    api.create(maps, { metadata: { name: "m" } }, as());
    const label = (labels: unknown) =>
      api.patch({ ...maps, name: "m" }, "application/merge-patch+json", { metadata: { labels } }, as());
    label({ a: "b" });
    label({ a: "b", c: "d" });
    label({ a: null });
    stop();
    label({ a: "b" });
    expect(seen).toEqual(["ADDED", "MODIFIED", "DELETED"]);
  });
});
