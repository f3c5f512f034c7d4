import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../src/embedded/api/object.ts";
import { create, refusals, row, strategyOf, update } from "./server.ts";

const daemonSets = strategyOf("daemonsets", "apps");

const nodeAgent = `
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: node-agent
  creationTimestamp: "2026-01-01T11:59:30Z"
  labels: {app: node-agent}
spec:
  selector: {matchLabels: {app: node-agent}}
  template:
    metadata: {labels: {app: node-agent}}
    spec:
      containers:
      - name: agent
        image: busybox:1.36
        command: [sleep, infinity]
`;

const changed = (from: string | RegExp, to: string) => nodeAgent.replace(from, to);
const inContainer = (line: string) => changed("image: busybox:1.36", `image: busybox:1.36\n        ${line}`);
const inPod = (line: string) => changed("    spec:\n", `    spec:\n      ${line}\n`);

describe("A new DaemonSet", () => {
  const made = create(daemonSets, nodeAgent);

  it("gets the defaults that case 13 records", () => {
    expect(made.metadata.annotations).toEqual({ "deprecated.daemonset.template.generation": "1" });
    expect(made.metadata.generation).toBe(1);
    expect(made["spec"]).toEqual({
      revisionHistoryLimit: 10,
      selector: { matchLabels: { app: "node-agent" } },
      template: {
        metadata: { labels: { app: "node-agent" } },
        spec: {
          containers: [
            {
              command: ["sleep", "infinity"],
              image: "busybox:1.36",
              imagePullPolicy: "IfNotPresent",
              name: "agent",
              resources: {},
              terminationMessagePath: "/dev/termination-log",
              terminationMessagePolicy: "File",
            },
          ],
          dnsPolicy: "ClusterFirst",
          restartPolicy: "Always",
          schedulerName: "default-scheduler",
          securityContext: {},
          terminationGracePeriodSeconds: 30,
        },
      },
      updateStrategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 }, type: "RollingUpdate" },
    });
  });

  it("is a row of the Table", () => {
    expect(row(daemonSets, made)).toEqual([
      "node-agent",
      0,
      0,
      0,
      0,
      0,
      "<none>",
      "30s",
      "agent",
      "busybox:1.36",
      "app=node-agent",
    ]);
  });

  it("is accepted", () => {
    expect(refusals(daemonSets, nodeAgent)).toEqual([]);
  });
});

describe("A DaemonSet is refused at creation in the recorded words", () => {
  const label =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
  const container = "spec.template.spec.containers[0]";
  it.each([
    [
      "labels that the selector does not match",
      changed("metadata: {labels: {app: node-agent}}", "metadata: {labels: {app: other}}"),
      'spec.template.metadata.labels: Invalid value: {"app":"other"}: `selector` does not match template `labels`',
    ],
    ["no image", changed(/ *image: .*\n/, ""), `${container}.image: Required value`],
    [
      "a restart policy other than Always",
      inPod("restartPolicy: Never"),
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ],
    [
      "no selector",
      changed(/ *selector: .*\n/, ""),
      'spec.template.metadata.labels: Invalid value: {"app":"node-agent"}: `selector` does not match template `labels`',
    ],
    [
      "an unknown pull policy",
      inContainer("imagePullPolicy: Sometimes"),
      `${container}.imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"`,
    ],
    [
      "a request above the limit",
      inContainer('resources: {requests: {cpu: "2"}, limits: {cpu: "1"}}'),
      `${container}.resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1`,
    ],
    [
      "a port out of range",
      inContainer("ports: [{containerPort: 99999}]"),
      `${container}.ports[0].containerPort: Invalid value: 99999: must be between 1 and 65535, inclusive`,
    ],
    [
      "a toleration with operator Exists and a value",
      inPod("tolerations: [{key: a, operator: Exists, value: b}]"),
      "spec.template.spec.tolerations[0].operator: Invalid value: \"b\": value must be empty when `operator` is 'Exists'",
    ],
    [
      "a node selector that is no label",
      inPod('nodeSelector: {disk: "not a label!"}'),
      `spec.template.spec.nodeSelector: Invalid value: "not a label!": ${label}`,
    ],
  ])("%s", (_, yaml, message) => {
    expect(refusals(daemonSets, yaml)).toEqual([message]);
  });
});

describe("An update strategy is refused in the recorded words", () => {
  const rolling = "spec.updateStrategy.rollingUpdate";
  const percent =
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
  it.each([
    [
      { rollingUpdate: { maxUnavailable: 0 } },
      [`${rolling}.maxUnavailable: Required value: cannot be 0 when maxSurge is 0`],
    ],
    [
      { rollingUpdate: { maxSurge: 1 } },
      [`${rolling}.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero`],
    ],
    [{ rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }, []],
    [
      { rollingUpdate: { maxUnavailable: "150%" } },
      [`${rolling}.maxUnavailable: Invalid value: "150%": must not be greater than 100%`],
    ],
    [
      { rollingUpdate: { maxUnavailable: "half" } },
      [
        `${rolling}.maxUnavailable: Invalid value: "half": ${percent}`,
        `${rolling}.maxUnavailable: Required value: cannot be 0 when maxSurge is 0`,
      ],
    ],
    [
      { rollingUpdate: { maxUnavailable: -1 } },
      [`${rolling}.maxUnavailable: Invalid value: -1: must be greater than or equal to 0`],
    ],
    [
      { type: "Recreate", rollingUpdate: { maxUnavailable: "50%", maxSurge: 0 } },
      [
        'spec.updateStrategy: Unsupported value: {"Type":"Recreate","RollingUpdate":{"MaxUnavailable":"50%","MaxSurge":0}}: supported values: "RollingUpdate", "OnDelete"',
      ],
    ],
    [{ type: "OnDelete" }, []],
  ])("%j", (strategy, messages) => {
    const { refusals: found } = update(daemonSets, create(daemonSets, nodeAgent), (daemonSet) => {
      (daemonSet["spec"] as Record<string, unknown>)["updateStrategy"] = strategy;
    });
    expect(found).toEqual(messages);
  });
});

describe("An updated DaemonSet", () => {
  const old = create(daemonSets, nodeAgent);
  const spec = (object: KubeObject) => object["spec"] as Record<string, unknown>;

  it("is a new generation, of the template too, when its template changes", () => {
    const { object } = update(daemonSets, old, (d) => {
      (spec(d)["template"] as { spec: { nodeSelector: unknown } }).spec.nodeSelector = { disk: "ssd" };
    });
    expect(object.metadata.generation).toBe(2);
    expect(object.metadata.annotations?.["deprecated.daemonset.template.generation"]).toBe("2");
  });

  it("keeps the template's generation when anything else of its spec changes", () => {
    const { object } = update(daemonSets, old, (d) => Object.assign(spec(d), { minReadySeconds: 5 }));
    expect(object.metadata.generation).toBe(2);
    expect(object.metadata.annotations?.["deprecated.daemonset.template.generation"]).toBe("1");
  });

  it("is no new generation when only its labels change", () => {
    const { object } = update(daemonSets, old, (d) => Object.assign(d.metadata, { labels: { a: "b" } }));
    expect(object.metadata.generation).toBe(1);
  });

  it("keeps its selector: that is said first, then what the new one breaks", () => {
    const { refusals: found } = update(daemonSets, old, (d) =>
      Object.assign(spec(d), { selector: { matchLabels: { app: "x" } } }),
    );
    expect(found).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"app":"x"}}: field is immutable',
      'spec.template.metadata.labels: Invalid value: {"app":"node-agent"}: `selector` does not match template `labels`',
    ]);
  });
});

describe("A DaemonSet's template warns", () => {
  it("of a variable that hides another", () => {
    const made = create(daemonSets, inContainer("env: [{name: A, value: a}, {name: A, value: b}]"));
    expect(daemonSets.warnings?.(made, undefined)).toEqual([
      'spec.template.spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
    ]);
  });
});
