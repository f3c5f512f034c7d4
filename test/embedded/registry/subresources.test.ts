import { beforeEach, describe, expect, test } from "vitest";
import { FakeClock } from "../../../src/embedded/api/clock.ts";
import type { RequestContext, Target } from "../../../src/embedded/registry/api.ts";
import { createSystemObjects } from "../../../src/embedded/registry/bootstrap/system-objects.ts";
import { createApi } from "../../../src/embedded/registry/create-api.ts";
import type { Registry } from "../../../src/embedded/registry/registry.ts";
import { MemoryStore } from "../../../src/embedded/store/memory-store.ts";

const lab: Target = { group: "", resource: "namespaces", name: "lab" };
const pod: Target = { group: "", resource: "pods", namespace: "lab", name: "web" };
const deployment: Target = { group: "apps", resource: "deployments", namespace: "lab", name: "web" };
const as = (more: Partial<RequestContext> = {}): RequestContext => ({
  user: { username: "kubernetes-admin", groups: ["system:masters"] },
  fieldManager: "kubectl",
  warnings: [],
  ...more,
});

describe("a subresource", () => {
  let store: MemoryStore;
  let api: Registry;
  beforeEach(() => {
    store = new MemoryStore();
    api = createApi({ store, clock: new FakeClock() });
    createSystemObjects(api);
    const { name: _, ...namespaces } = lab;
    api.create(namespaces, { metadata: { name: "lab" } }, as());
    const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "nginx" }] } };
    api.create({ group: "", resource: "serviceaccounts", namespace: "lab" }, { metadata: { name: "default" } }, as());
    api.create({ ...pod, name: undefined }, { metadata: { name: "web" }, spec: template.spec }, as());
    const spec = { selector: { matchLabels: { app: "web" } }, template };
    api.create({ ...deployment, name: undefined }, { metadata: { name: "web" }, spec }, as());
  });

  describe("finalize", () => {
    const finalize = { ...lab, subresource: "finalize" };
    const emptied = (metadata = {}) => ({ metadata: { name: "lab", ...metadata }, spec: { finalizers: [] } });

    test("takes away a namespace that nothing holds any longer", () => {
      api.delete(lab, {}, as());
      api.update(finalize, emptied(), as());
      expect(() => api.get(lab, as())).toThrow('namespaces "lab" not found');
    });

    test("leaves one that is not being deleted", () => {
      api.update(finalize, emptied(), as());
      expect(api.get(lab, as())).toMatchObject({ status: { phase: "Active" } });
    });

    test("changes nothing in a dry run", () => {
      const { revision } = store;
      api.update(finalize, emptied(), as({ dryRun: true }));
      expect(store.revision).toBe(revision);
      expect(api.get(lab, as())).toMatchObject({ spec: { finalizers: ["kubernetes"] } });
    });

    test("refuses an old version", () => {
      expect(() => api.update(finalize, emptied({ resourceVersion: "1" }), as())).toThrow(
        'Operation cannot be fulfilled on namespaces "lab": the object has been modified; please apply your changes to the latest version and try again',
      );
    });
  });

  test.each([
    ["binding", pod, "create", "Binding", "v1"],
    ["eviction", pod, "create", "Eviction", "v1"],
    ["scale", deployment, "update", "Scale", "v1"],
  ] as const)("%s refuses what is no object", (subresource, target, verb, kind, version) => {
    expect(() => api[verb]({ ...target, subresource }, null, as())).toThrow(
      `${kind} in version "${version}" cannot be handled as a ${kind}: `,
    );
    expect(() => api[verb]({ ...target, subresource }, [], as())).toThrow(
      "json: cannot unmarshal array into Go value of type",
    );
  });

  test("an eviction may be of the version before", () => {
    const eviction = { apiVersion: "policy/v1beta1", kind: "Eviction", metadata: { name: pod.name } };
    expect(api.create({ ...pod, subresource: "eviction" }, eviction, as())).toMatchObject({ status: "Success" });
  });

  test("scale needs no metadata", () => {
    api.update({ ...deployment, subresource: "scale" }, { spec: { replicas: 3 } }, as());
    expect(api.get(deployment, as())).toMatchObject({ spec: { replicas: 3 } });
  });

  test("binding names the Pod and a node", () => {
    const binding = { ...pod, subresource: "binding" };
    expect(() => api.create(binding, { metadata: { name: "other" }, target: { name: "n" } }, as())).toThrow(
      "name in URL does not match name in Binding object",
    );
    expect(() => api.create(binding, { metadata: { name: "web" } }, as())).toThrow("target.name: Required value");
    const target = { kind: "Minion", name: "n" };
    expect(() => api.create(binding, { metadata: { name: "web" }, target }, as())).toThrow(
      'target.kind: Unsupported value: "Minion": supported values: "Node", "<empty>"',
    );
    expect(api.get(pod, as())).not.toHaveProperty("spec.nodeName");
  });
});

describe("an object that is being deleted", () => {
  const configMap: Target = { group: "", resource: "configmaps", namespace: "default", name: "a" };
  let api: Registry;
  beforeEach(() => {
    api = createApi({ store: new MemoryStore(), clock: new FakeClock() });
    createSystemObjects(api);
    const metadata = { name: "a", finalizers: ["lab.example/keep"] };
    api.create({ ...configMap, name: undefined }, { metadata }, as());
    api.delete(configMap, { propagationPolicy: "Foreground" }, as());
  });
  const finalizers = () => api.get(configMap, as()).metadata.finalizers;
  const setFinalizers = (list: string[]) =>
    api.patch(configMap, "application/merge-patch+json", { metadata: { finalizers: list } }, as());

  test("takes no new finalizers, and gives up those it has", () => {
    expect(() => setFinalizers(["lab.example/keep", "lab.example/z", "lab.example/b"])).toThrow(
      'ConfigMap "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"lab.example/b", "lab.example/z"}',
    );
    setFinalizers(["foregroundDeletion"]);
    expect(finalizers()).toEqual(["foregroundDeletion"]);
    setFinalizers([]);
    expect(finalizers).toThrow("not found");
  });

  test("goes on as it was begun when it is deleted again without a policy, and otherwise with one", () => {
    api.delete(configMap, {}, as());
    expect(finalizers()).toEqual(["lab.example/keep", "foregroundDeletion"]);
    api.delete(configMap, { propagationPolicy: "Background" }, as());
    expect(finalizers()).toEqual(["lab.example/keep"]);
  });
});
