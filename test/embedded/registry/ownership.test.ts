import { beforeEach, describe, expect, test } from "vitest";
import { FakeClock } from "../../../src/embedded/api/clock.ts";
import type { KubeObject } from "../../../src/embedded/api/object.ts";
import type { RequestContext } from "../../../src/embedded/registry/api.ts";
import { createSystemObjects } from "../../../src/embedded/registry/bootstrap/system-objects.ts";
import { createApi } from "../../../src/embedded/registry/create-api.ts";
import type { Registry } from "../../../src/embedded/registry/registry.ts";
import { MemoryStore } from "../../../src/embedded/store/memory-store.ts";

const as: RequestContext = {
  user: { username: "kubernetes-admin", groups: ["system:masters"] },
  fieldManager: "kubectl-create",
};
const containers = [{ name: "c", image: "nginx" }];

/** FieldsV1 of the only manager. */
function owned({ metadata }: KubeObject): Record<string, Record<string, unknown>> {
  expect(metadata.managedFields).toHaveLength(1);
  return metadata.managedFields![0]!.fieldsV1 as Record<string, Record<string, unknown>>;
}

describe("who creates an object owns what he sent, and its defaults", () => {
  let api: Registry;
  beforeEach(() => {
    api = createApi({ store: new MemoryStore(), clock: new FakeClock() });
    createSystemObjects(api);
    api.create({ group: "", resource: "serviceaccounts", namespace: "default" }, { metadata: { name: "default" } }, as);
  });

  test("and not the token, the tolerations and the priority that admission gives a Pod", () => {
    const pods = { group: "", resource: "pods", namespace: "default" };
    const made = api.create(pods, { metadata: { name: "web" }, spec: { containers } }, as);
    expect(made).toHaveProperty("spec.tolerations");
    expect(Object.keys(owned(made)["f:spec"]!)).toEqual([
      "f:containers",
      "f:dnsPolicy",
      "f:enableServiceLinks",
      "f:restartPolicy",
      "f:schedulerName",
      "f:securityContext",
      "f:terminationGracePeriodSeconds",
    ]);
  });

  test("and not the address a Service is given", () => {
    const services = { group: "", resource: "services", namespace: "default" };
    const made = api.create(services, { metadata: { name: "web" }, spec: { ports: [{ port: 80 }] } }, as);
    expect(made).toHaveProperty("spec.clusterIP");
    expect(Object.keys(owned(made)["f:spec"]!)).toEqual([
      "f:internalTrafficPolicy",
      "f:ports",
      "f:sessionAffinity",
      "f:type",
    ]);
  });

  test("and not a Namespace's finalizer, but its label", () => {
    const made = api.create({ group: "", resource: "namespaces" }, { metadata: { name: "lab" } }, as);
    expect(made).toHaveProperty("spec.finalizers", ["kubernetes"]);
    expect(owned(made)).toEqual({ "f:metadata": { "f:labels": { ".": {}, "f:kubernetes.io/metadata.name": {} } } });
  });

  test("and not the selector and labels a Job is given", () => {
    const jobs = { group: "batch", resource: "jobs", namespace: "default" };
    const template = { spec: { restartPolicy: "Never", containers } };
    const made = api.create(jobs, { metadata: { name: "once" }, spec: { template } }, as);
    expect(made).toHaveProperty("spec.selector");
    const spec = owned(made)["f:spec"]!;
    expect(spec).not.toHaveProperty("f:selector");
    expect(spec["f:template"]).not.toHaveProperty("f:metadata");
  });
});
