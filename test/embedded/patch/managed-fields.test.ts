import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../../src/embedded/api/object.ts";
import { applyServerSide, managedFieldsAfterUpdate } from "../../../src/embedded/patch/managed-fields.ts";
import { TypeCatalog } from "../../../src/embedded/schema/type-catalog.ts";

const catalog = new TypeCatalog();
const type = "io.k8s.api.apps.v1.DaemonSet";
const writer = (manager: string, now = "2026-01-01T00:00:00Z") => ({ manager, apiVersion: "apps/v1", now });

function nodeAgent(image = "busybox:1.36", labels: Record<string, string> = { app: "node-agent" }): KubeObject {
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: "node-agent", namespace: "lab", labels },
    spec: {
      selector: { matchLabels: { app: "node-agent" } },
      template: {
        metadata: { labels: { app: "node-agent" } },
        spec: { containers: [{ name: "agent", image, command: ["sleep", "infinity"] }] },
      },
    },
  };
}
const imageOf = (o: KubeObject) =>
  (o as unknown as { spec: { template: { spec: { containers: { image: string }[] } } } }).spec.template.spec
    .containers[0]!.image;

describe("server-side apply", () => {
  const first = applyServerSide(catalog, type, undefined, nodeAgent(), writer("kubectl"), false).object;

  test("records exactly the fields that were applied", () => {
    expect(JSON.stringify(first.metadata.managedFields![0]!.fieldsV1)).toBe(
      '{"f:metadata":{"f:labels":{"f:app":{}}},"f:spec":{"f:selector":{},"f:template":{"f:metadata":{"f:labels":{"f:app":{}}},"f:spec":{"f:containers":{"k:{\\"name\\":\\"agent\\"}":{".":{},"f:command":{},"f:image":{},"f:name":{}}}}}}}',
    );
  });

  test("changes nothing the second time", () => {
    expect(
      applyServerSide(catalog, type, first, nodeAgent(), writer("kubectl", "2027-01-01T00:00:00Z"), false).changed,
    ).toBe(false);
  });

  test("names the owner and the field of a conflict", () => {
    expect(() => applyServerSide(catalog, type, first, nodeAgent("busybox:1.37"), writer("other"), false)).toThrow(
      'Apply failed with 1 conflict: conflict with "kubectl": .spec.template.spec.containers[name="agent"].image',
    );
  });

  test("takes the field over when forced, and the old owner meets the conflict then", () => {
    const forced = applyServerSide(catalog, type, first, nodeAgent("busybox:1.37"), writer("other"), true).object;
    expect(imageOf(forced)).toBe("busybox:1.37");
    expect(() => applyServerSide(catalog, type, forced, nodeAgent(), writer("kubectl"), false)).toThrow(
      'conflict with "other": .spec.template.spec.containers[name="agent"].image',
    );
  });

  test("removes a field that its only owner lets go, and keeps one that is shared", () => {
    const labelled = applyServerSide(
      catalog,
      type,
      first,
      nodeAgent("busybox:1.36", { app: "node-agent", tier: "infra" }),
      writer("labeller"),
      false,
    ).object;
    expect(labelled.metadata.labels).toEqual({ app: "node-agent", tier: "infra" });
    const released = applyServerSide(catalog, type, labelled, nodeAgent(), writer("labeller"), false).object;
    expect(released.metadata.labels).toEqual({ app: "node-agent" });
  });

  test("conflicts with who updated a field, and says how they did", () => {
    const updated = nodeAgent("busybox:1.37");
    updated.metadata = {
      ...updated.metadata,
      managedFields: managedFieldsAfterUpdate(catalog, type, first, updated, writer("kubectl-patch")),
    };
    expect(() => applyServerSide(catalog, type, updated, nodeAgent(), writer("kubectl"), false)).toThrow(
      'conflict with "kubectl-patch" using apps/v1 at 2026-01-01T00:00:00Z: .spec.template.spec.containers[name="agent"].image',
    );
  });
});

describe("an update", () => {
  test("owns what it made, with the containers that were not there before", () => {
    const fields = managedFieldsAfterUpdate(catalog, type, undefined, nodeAgent(), writer("kubectl-create"))[0]!
      .fieldsV1 as object;
    expect(fields).toMatchObject({
      "f:metadata": { "f:labels": { ".": {}, "f:app": {} } },
      "f:spec": {
        "f:template": { "f:spec": { "f:containers": { 'k:{"name":"agent"}': { ".": {}, "f:image": {} } } } },
      },
    });
    expect(JSON.stringify(fields)).not.toContain("f:namespace");
  });

  test("that changes nothing keeps owners and their times", () => {
    const made = nodeAgent();
    made.metadata.managedFields = managedFieldsAfterUpdate(catalog, type, undefined, made, writer("kubectl-create"));
    expect(managedFieldsAfterUpdate(catalog, type, made, made, writer("x", "2027-01-01T00:00:00Z"))).toEqual(
      made.metadata.managedFields,
    );
  });
});
