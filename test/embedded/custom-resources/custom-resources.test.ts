import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EmbeddedCluster, startEmbeddedCluster } from "../../../src/embedded/cluster.ts";
import { readJsonPath } from "../../../src/embedded/custom-resources/json-path.ts";
import { validateValue } from "../../../src/embedded/custom-resources/validate-value.ts";
import { kubectlFolder } from "../../e2e/workplace.ts";

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, shortNames: [wd], categories: [all]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
    additionalPrinterColumns:
    - {name: Size, type: string, jsonPath: .spec.size}
    - {name: Replicas, type: integer, jsonPath: .spec.replicas}
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            description: What is wanted.
            required: [size]
            properties:
              size: {type: string, enum: [small, large]}
              replicas: {type: integer, minimum: 1, default: 1}
              port: {x-kubernetes-int-or-string: true}
              extra: {type: object, x-kubernetes-preserve-unknown-fields: true}
          status: {type: object, properties: {replicas: {type: integer}}}
`;
const widget = (spec: string) => `
apiVersion: example.org/v1
kind: Widget
metadata: {name: one, namespace: default}
spec: ${spec}
`;

describe("a CustomResourceDefinition", () => {
  let cluster: EmbeddedCluster;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "k8s-practice-crd-"));
    cluster = await startEmbeddedCluster({ nodes: [{ name: "one", controlPlane: false }] });
    writeFileSync(join(folder, "kubeconfig"), cluster.kubeconfig, { mode: 0o600 });
    expect(await kubectl(["apply", "-f", "-"], definition)).toContain("created");
    await kubectl(["wait", "--for=condition=Established", "crd/widgets.example.org", "--timeout=10s"]);
  });
  afterAll(async () => {
    await cluster?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  async function kubectl(args: string[], input = ""): Promise<string> {
    const { all } = await execa(join(kubectlFolder(), "kubectl"), args, {
      env: { KUBECONFIG: join(folder, "kubeconfig"), HOME: folder },
      input,
      all: true,
      reject: false,
    });
    return String(all);
  }
  const apply = (spec: string, ...more: string[]) => kubectl(["apply", ...more, "-f", "-"], widget(spec));

  test("is served with its columns, defaults, short names and explanation", async () => {
    expect(await apply("{size: small, extra: {a: {b: 1}}}")).toBe("widget.example.org/one created");
    expect(await kubectl(["get", "wd"])).toMatch(/^NAME +SIZE +REPLICAS\none +small +1$/);
    expect(await kubectl(["get", "wd", "one", "-o", "jsonpath={.spec}"])).toBe(
      '{"extra":{"a":{"b":1}},"replicas":1,"size":"small"}',
    );
    expect(await kubectl(["explain", "widget.spec"])).toContain("What is wanted.");
    expect(await kubectl(["get", "all", "-o", "name"])).toContain("widget.example.org/one");
  });

  test("refuses what does not fit, in the API server's words", async () => {
    expect(await apply("{size: medium, replicas: 0}")).toBe(
      [
        'The Widget "one" is invalid: ',
        '* spec.size: Unsupported value: "medium": supported values: "small", "large"',
        "* spec.replicas: Invalid value: 0: spec.replicas in body should be greater than or equal to 1",
      ].join("\n"),
    );
    expect(await apply("{size: small, replicas: two}")).toContain(
      'spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"',
    );
    expect(await apply("{size: small, nope: 1}")).toContain('unknown field "spec.nope"');
  });

  test("has a status and a scale of its own, and no strategic merge", async () => {
    expect(await kubectl(["scale", "widget", "one", "--replicas=3"])).toBe("widget.example.org/one scaled");
    const status = ["--subresource=status", "-p", '{"spec":{"size":"large"},"status":{"replicas":3}}'];
    await kubectl(["patch", "widget", "one", "--type=merge", ...status]);
    expect(
      await kubectl(["get", "widget", "one", "-o", "jsonpath={.metadata.generation} {.spec.size} {.status}"]),
    ).toBe('2 small {"replicas":3}');
    expect(await kubectl(["patch", "widget", "one", "-p", "{}"])).toContain(
      "strategic-merge-patch+json is not supported",
    );
    expect(await apply("{size: large}", "--server-side", "--force-conflicts")).toContain("serverside-applied");
  });

  test("takes its objects with it", async () => {
    expect(await kubectl(["delete", "crd", "widgets.example.org"])).toContain("deleted");
    expect(await kubectl(["get", "widgets"])).toContain("server could not find the requested resource");
    expect(cluster.store.list({ group: "example.org", resource: "widgets" })).toEqual([]);
  });
});

describe("values of custom resources", () => {
  test("are found by the JSONPath of printer columns", () => {
    const object = {
      a: { "b/c": 1 },
      list: [
        { type: "X", ok: true },
        { type: "Y", ok: false },
      ],
    };
    expect(readJsonPath(object, ".a['b/c']")).toBe(1);
    expect(readJsonPath(object, '.list[?(@.type=="Y")].ok')).toBe(false);
    expect(readJsonPath(object, ".list[0].type")).toBe("X");
    expect(readJsonPath(object, ".nothing.here")).toBeUndefined();
  });

  test.each([
    [{ type: "string", pattern: "^a+$" }, "b", "f in body should match '^a+$'"],
    [{ type: "string", minLength: 2 }, "b", "f in body should be at least 2 chars long"],
    [{ type: "array", minItems: 1 }, [], "f in body should have at least 1 items"],
    [{ type: "array", "x-kubernetes-list-type": "set" as const }, ["a", "a"], 'Duplicate value: "a"'],
    [{ type: "integer", maximum: 3, exclusiveMaximum: true }, 3, "should be less than 3"],
    [{ type: "object", required: ["x"] }, {}, "Required value"],
    [{ type: "boolean" }, "yes", "f in body must be of type boolean"],
  ])("%j refuses %j", (schema, value, words) => {
    expect(
      validateValue(schema, value, "f")
        .map((e) => e.message)
        .join("; "),
    ).toContain(words);
  });
});
