import { describe, expect, test } from "vitest";
import { requestContext } from "../../../src/embedded/server/request-options.ts";

const user = { username: "ada", groups: [] };
const read = (verb: string, query: string, body?: unknown) =>
  requestContext(user, "kubectl/v1.36", verb, new URLSearchParams(query), body);

describe("the options of a request", () => {
  test("dryRun is All or nothing: anything else must not be taken for a real write", () => {
    expect(read("create", "dryRun=All").dryRun).toBe(true);
    expect(read("create", "").dryRun).toBe(false);
    expect(() => read("create", "dryRun=foo")).toThrow(
      'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: "foo": supported values: "All"',
    );
  });

  test("a deletion has dryRun in its body", () => {
    expect(read("delete", "", { dryRun: ["All"] }).dryRun).toBe(true);
    expect(() => read("delete", "", { dryRun: ["maybe"] })).toThrow("DeleteOptions");
  });

  test("a deletion propagates in one of three ways", () => {
    expect(() => read("delete", "", { propagationPolicy: "Orphan" })).not.toThrow();
    expect(() => read("delete", "", { propagationPolicy: "Sideways" })).toThrow(
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Sideways"',
    );
    expect(() => read("delete", "propagationPolicy=x")).toThrow("Unsupported value");
    expect(() => read("delete", "", { propagationPolicy: "Orphan", orphanDependents: true })).toThrow("both set");
  });

  test("fieldValidation warns unless it is told otherwise", () => {
    expect(read("patch", "").fieldValidation).toBe("Warn");
    expect(read("patch", "fieldValidation=Strict").fieldValidation).toBe("Strict");
    expect(() => read("patch", "fieldValidation=foo")).toThrow('supported values: "Ignore", "Warn", "Strict"');
  });

  test("a manager that does not name itself is left to the registry, for server-side apply demands a name", () => {
    expect(read("patch", "").fieldManager).toBeUndefined();
    expect(read("patch", "fieldManager=me").fieldManager).toBe("me");
  });
});
