import { describe, expect, it } from "vitest";
import { touches } from "../../src/verify/touches.ts";

describe("touches", () => {
  const path = ["spec", "replicas"];
  it.each([
    ["a merge patch", { spec: { replicas: 5 } }],
    ["zero", { spec: { replicas: 0 } }],
    ["a JSON patch of the field", [{ op: "add", path: "/spec/replicas", value: 5 }]],
    ["a JSON patch of the parent", [{ op: "replace", path: "/spec", value: { replicas: 5 } }]],
    ["a whole object", { kind: "DaemonSet", spec: { replicas: 1, template: {} } }],
  ])("finds the field in %s", (_name, body) => expect(touches(body, path)).toBe(true));
  it.each([
    ["another field", { spec: { template: { replicas: 5 } } }],
    ["a removal by merge patch", { spec: { replicas: null } }],
    ["a removal by JSON patch", [{ op: "remove", path: "/spec/replicas" }]],
    ["a test by JSON patch", [{ op: "test", path: "/spec/replicas", value: 5 }]],
    ["a longer path", [{ op: "add", path: "/spec/replicas/x", value: 5 }]],
    ["no body", undefined],
    ["text", "replicas"],
  ])("does not find it in %s", (_name, body) => expect(touches(body, path)).toBe(false));
  it("reads escaped pointers", () => {
    expect(
      touches([{ op: "add", path: "/metadata/labels/a~1b~0c", value: "x" }], ["metadata", "labels", "a/b~c"]),
    ).toBe(true);
  });
});
