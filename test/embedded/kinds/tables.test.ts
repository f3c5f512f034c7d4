import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { strategies } from "../../../src/embedded/kinds/index.ts";
import { create, now, object, row, strategyOf } from "./server.ts";

const columns = JSON.parse(readFileSync("data/columns.json", "utf8")) as Record<string, [name: string][]>;

/** `/apis/apps/v1/daemonsets` -> group and resource. */
function kindOf(path: string): { group: string; resource: string } {
  const parts = path.split("/");
  return parts[1] === "api"
    ? { group: "", resource: parts[3] ?? "" }
    : { group: parts[2] ?? "", resource: parts[4] ?? "" };
}

describe("Every kind that is listed as a Table", () => {
  // A ComponentStatus is no stored object: there is nothing to list.
  const paths = Object.keys(columns).filter((path) => !path.endsWith("/componentstatuses"));

  it.each(paths)("has a cell for each column: %s", (path) => {
    const { group, resource } = kindOf(path);
    const strategy = strategyOf(resource, group);
    const empty = object("{apiVersion: v1, metadata: {}}");
    for (const field of ["spec", "status", "involvedObject", "roleRef"]) empty[field] = {};
    empty["spec"] = { scaleTargetRef: {}, priorityLevelConfiguration: {} };
    expect(strategy.cells?.(empty, now)).toHaveLength(columns[path]?.length ?? -1);
  });

  it("has one strategy", () => {
    const names = strategies.map((s) => `${s.resource}.${s.group}`);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("A row shows", () => {
  it.each([
    [
      "nodes",
      "",
      '{metadata: {name: n, labels: {node-role.kubernetes.io/control-plane: ""}}, spec: {unschedulable: true}, status: {conditions: [{type: Ready, status: "True"}], nodeInfo: {kubeletVersion: v1.36.2}}}',
      ["n", "Ready,SchedulingDisabled", "control-plane", "<unknown>", "v1.36.2"],
    ],
    ["nodes", "", "{metadata: {name: n}}", ["n", "Unknown", "<none>", "<unknown>", ""]],
    [
      "events",
      "",
      "{metadata: {name: e}, type: Normal, reason: Pulled, message: ' done ', involvedObject: {kind: Pod, name: p}, lastTimestamp: '2026-01-01T11:59:00Z', count: 3}",
      ["60s", "Normal", "Pulled", "pod/p"],
    ],
    [
      "horizontalpodautoscalers",
      "autoscaling",
      "{metadata: {name: web}, spec: {maxReplicas: 5, scaleTargetRef: {kind: Deployment, name: web}}}",
      ["web", "Deployment/web", "cpu: <unknown>/80%", "1", 5, 0],
    ],
    [
      "horizontalpodautoscalers",
      "autoscaling",
      "{apiVersion: autoscaling/v1, metadata: {name: web}, spec: {maxReplicas: 5, targetCPUUtilizationPercentage: 50, scaleTargetRef: {kind: Deployment, name: web}}}",
      ["web", "Deployment/web", "cpu: <unknown>/50%"],
    ],
    [
      "controllerrevisions",
      "apps",
      "{metadata: {name: r, ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: d, controller: true}]}, revision: 2}",
      ["r", "daemonset.apps/d", 2],
    ],
    [
      "priorityclasses",
      "scheduling.k8s.io",
      "{metadata: {name: daemon-critical}, value: 1000000}",
      ["daemon-critical", 1000000, false, "<unknown>", "PreemptLowerPriority"],
    ],
    [
      "ingresses",
      "networking.k8s.io",
      "{metadata: {name: i}, spec: {ingressClassName: nginx, rules: [{host: a.example}, {host: b.example}]}}",
      ["i", "nginx", "a.example,b.example", "", "80"],
    ],
    ["poddisruptionbudgets", "policy", "{metadata: {name: p}, spec: {minAvailable: 50%}}", ["p", "50%", "N/A", 0]],
    [
      "storageclasses",
      "storage.k8s.io",
      "{metadata: {name: standard, annotations: {storageclass.kubernetes.io/is-default-class: 'true'}}, provisioner: a/b}",
      ["standard (default)", "a/b", "Delete", "Immediate", false],
    ],
  ])("%s of %j: %s", (resource, group, yaml, cells) => {
    const strategy = strategyOf(resource, group);
    const made = object(yaml);
    strategy.applyDefaults?.(made);
    expect(row(strategy, made).slice(0, cells.length)).toEqual(cells);
  });

  it("resources used of a quota, limits apart", () => {
    const quotas = strategyOf("resourcequotas");
    const quota = create(quotas, "spec: {hard: {pods: '10'}}");
    quota["status"] = { hard: { pods: "10", "limits.cpu": "2" }, used: { pods: "1" } };
    expect(row(quotas, quota).slice(1, 3)).toEqual(["pods: 1/10", "limits.cpu: 0/2"]);
  });
});
