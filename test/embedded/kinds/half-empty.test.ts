import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { copy, type KubeObject } from "../../../src/embedded/api/object.ts";
import { apiVersion, type ResourceInfo } from "../../../src/embedded/api/resource.ts";
import { strategies } from "../../../src/embedded/kinds/index.ts";
import type { KindStrategy } from "../../../src/embedded/registry/strategy.ts";
import { decode } from "../../../src/embedded/schema/decode.ts";
import { applyDeclaredDefaults } from "../../../src/embedded/schema/defaults.ts";
import { TypeCatalog } from "../../../src/embedded/schema/type-catalog.ts";
import { cluster, now } from "./server.ts";

const catalog = new TypeCatalog();
const resources = JSON.parse(readFileSync("data/resources.json", "utf8")) as ResourceInfo[];
const stored = resources.filter((r) => r.verbs.includes("update"));

function strategyFor(resource: ResourceInfo): KindStrategy {
  const found = strategies.find((s) => s.group === resource.group && s.resource === resource.resource);
  if (!found) throw new Error(`no strategy for ${resource.resource}`);
  return found;
}

/** An object as the registry hands it on: decoded, with the defaults that types declare. */
function decoded(resource: ResourceInfo, fields: object): KubeObject {
  const type = catalog.nameOf(resource.group, resource.version, resource.kind) ?? "";
  const body = {
    apiVersion: apiVersion(resource),
    kind: resource.kind,
    metadata: { name: "x", namespace: "lab" },
    ...fields,
  };
  const { object } = decode(catalog, type, body);
  applyDeclaredDefaults(catalog, type, object);
  return object as KubeObject;
}

/** Whatever a client leaves out, a strategy answers with field errors, never with a crash. */
function passThrough(strategy: KindStrategy, object: KubeObject): void {
  const context = cluster();
  strategy.applyDefaults?.(object);
  strategy.prepareForCreate?.(object, context);
  expect(strategy.validate?.(object, context) ?? []).toBeInstanceOf(Array);
  strategy.warnings?.(object, undefined);
  strategy.cells?.(object, now);
  strategy.gracePeriod?.(object, undefined);
  for (const field of Object.values(strategy.selectableFields ?? {})) expect(typeof field(object)).toBe("string");
  const changed = copy(object);
  strategy.applyDefaults?.(changed);
  strategy.prepareForUpdate?.(changed, object, context);
  strategy.validateUpdate?.(changed, object, context);
  strategy.prepareForStatusUpdate?.(changed, object, context);
  strategy.validateStatusUpdate?.(changed, object, context);
}

describe("A half-empty object is refused, not crashed on", () => {
  it.each(stored.map((r) => [`${r.resource}.${r.group}/${r.version}`, r] as const))("%s", (_, resource) => {
    const strategy = strategyFor(resource);
    passThrough(strategy, decoded(resource, {}));
  });

  const templated = stored.filter((r) => ["apps", "batch"].includes(r.group) && r.resource !== "controllerrevisions");
  it.each(templated.map((r) => [r.resource, r] as const))("%s with an empty template", (_, resource) => {
    for (const spec of [
      {},
      { template: {} },
      { template: { spec: {} } },
      { jobTemplate: {} },
      { jobTemplate: { spec: {} } },
    ]) {
      passThrough(strategyFor(resource), decoded(resource, { spec }));
    }
  });

  it("a Pod whose lists hold empty objects", () => {
    const pod = stored.find((r) => r.resource === "pods");
    if (!pod) throw new Error("no pods");
    const spec = {
      containers: [
        { env: [{}], ports: [{}], volumeMounts: [{}], volumeDevices: [{}], envFrom: [{}], livenessProbe: {} },
      ],
      initContainers: [{}],
      ephemeralContainers: [{}],
      volumes: [
        {},
        { projected: { sources: [{}] } },
        { secret: {} },
        { configMap: {} },
        { downwardAPI: { items: [{}] } },
      ],
      tolerations: [{}],
      topologySpreadConstraints: [{}],
      affinity: {
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} },
        podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{}] },
      },
      hostAliases: [{}],
      readinessGates: [{}],
      schedulingGates: [{}],
      dnsConfig: { options: [{}] },
    };
    passThrough(strategyFor(pod), decoded(pod, { spec }));
  });
});
