import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../src/embedded/api/object.ts";
import { create, object, refusals, row, strategyOf, update } from "./server.ts";

const pods = strategyOf("pods");

const probe = `
apiVersion: v1
kind: Pod
metadata: {name: probe, creationTimestamp: "2026-01-01T11:50:00Z"}
spec:
  containers:
  - {name: main, image: busybox}
`;

const withStatus = (spec: string, status: string) =>
  object(`
metadata: {name: probe, creationTimestamp: "2026-01-01T11:50:00Z"}
spec: ${spec}
status: ${status}
`);

describe("A new Pod", () => {
  it("is Pending, of best effort, and pulls an untagged image always", () => {
    const made = create(pods, probe);
    expect(made["status"]).toEqual({ phase: "Pending", qosClass: "BestEffort" });
    expect(made["spec"]).toMatchObject({
      enableServiceLinks: true,
      containers: [{ imagePullPolicy: "Always" }],
    });
  });

  it.each([
    ["{limits: {cpu: 1, memory: 1Gi}}", "Guaranteed"],
    ["{requests: {cpu: 100m}}", "Burstable"],
  ])("with resources %s is %s", (resources, qosClass) => {
    const made = create(pods, probe.replace("image: busybox", `image: busybox, resources: ${resources}`));
    expect(made["status"]).toMatchObject({ qosClass });
  });

  it("takes its requests from its limits", () => {
    const made = create(pods, probe.replace("image: busybox", "image: busybox, resources: {limits: {memory: 1Gi}}"));
    expect(made["spec"]).toMatchObject({ containers: [{ resources: { requests: { memory: "1Gi" } } }] });
  });
});

describe("A Pod is refused in the server's words", () => {
  const at = "spec.containers[0]";
  const main = (fields: string) => probe.replace("image: busybox}", `image: busybox, ${fields}}`);
  const inSpec = (line: string) => probe.replace("spec:\n", `spec:\n  ${line}\n`);
  it.each([
    [main("volumeMounts: [{name: data, mountPath: /data}]"), [`${at}.volumeMounts[0].name: Not found: "data"`]],
    [main("livenessProbe: {}"), [`${at}.livenessProbe: Required value: must specify a handler type`]],
    [
      main("livenessProbe: {tcpSocket: {port: 80}, successThreshold: 2}"),
      [`${at}.livenessProbe.successThreshold: Invalid value: 2: must be 1`],
    ],
    [
      main("ports: [{containerPort: 80, hostPort: 80}, {containerPort: 81, hostPort: 80}]"),
      [`${at}.ports[1].hostPort: Duplicate value: "TCP//80"`],
    ],
    [
      main("env: [{name: A, value: x, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]"),
      [`${at}.env[0].valueFrom: Invalid value: "": may not be specified when \`value\` is not empty`],
    ],
    [
      main("resources: {requests: {gpu: 1}}"),
      [
        `${at}.resources.requests[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified`,
        `${at}.resources.requests[gpu]: Invalid value: "gpu": must be a standard resource for containers`,
      ],
    ],
    [
      inSpec("volumes: [{name: v, hostPath: {path: /a}, emptyDir: {}}]"),
      ["spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type"],
    ],
    [
      inSpec("initContainers: [{name: init, image: a:1, livenessProbe: {tcpSocket: {port: 80}}}]"),
      [
        "spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always",
      ],
    ],
    [
      inSpec("restartPolicy: Sometimes"),
      ['spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"'],
    ],
    [
      inSpec(
        "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Is}]}]}}}",
      ),
      [
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
      ],
    ],
  ])("%s", (yaml, messages) => {
    expect(refusals(pods, yaml.replace(/requests: \{gpu: 1\}/, 'requests: {gpu: "1"}'))).toEqual(messages);
  });
});

describe("An existing Pod", () => {
  const old = create(pods, probe);
  const spec = (pod: KubeObject) => pod["spec"] as { containers: Record<string, unknown>[] } & Record<string, unknown>;

  it("may get another image and more tolerations", () => {
    const { refusals: found } = update(pods, old, (pod) => {
      Object.assign(spec(pod).containers[0] ?? {}, { image: "busybox:2" });
      spec(pod)["tolerations"] = [{ key: "a", operator: "Exists" }];
    });
    expect(found).toEqual([]);
  });

  it("keeps the rest: the refusal shows the difference in the server's internal form", () => {
    const { refusals: found } = update(pods, old, (pod) => {
      spec(pod)["nodeSelector"] = { disk: "ssd" };
    });
    expect(found).toEqual([
      "spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n" +
        [
          "@@ -39,7 +39,9 @@",
          '  "TerminationGracePeriodSeconds": 30,',
          '  "ActiveDeadlineSeconds": null,',
          '  "DNSPolicy": "ClusterFirst",',
          '- "NodeSelector": null,',
          '+ "NodeSelector": {',
          '+  "disk": "ssd"',
          "+ },",
          '  "ServiceAccountName": "",',
          '  "AutomountServiceAccountToken": null,',
          '  "NodeName": "",',
          "",
        ].join("\n"),
    ]);
  });

  it("keeps its containers", () => {
    const { refusals: found } = update(pods, old, (pod) => {
      spec(pod).containers.push({ name: "more", image: "a:1" });
    });
    expect(found).toEqual(["spec.containers: Forbidden: pod updates may not add or remove containers"]);
  });
});

describe("A Pod's row shows", () => {
  const one = "{containers: [{name: a}]}";
  it.each([
    ["Pending", one, "{phase: Pending}", ["0/1", "Pending", "0"]],
    [
      "Running after two restarts",
      one,
      '{phase: Running, containerStatuses: [{name: a, ready: true, restartCount: 2, state: {running: {}}, lastState: {terminated: {exitCode: 1, finishedAt: "2026-01-01T11:57:00Z"}}}]}',
      ["1/1", "Running", "2 (3m ago)"],
    ],
    [
      "CrashLoopBackOff",
      one,
      "{phase: Running, containerStatuses: [{name: a, ready: false, restartCount: 3, state: {waiting: {reason: CrashLoopBackOff}}}]}",
      ["0/1", "CrashLoopBackOff", "3"],
    ],
    [
      "Completed",
      one,
      "{phase: Succeeded, containerStatuses: [{name: a, ready: false, restartCount: 0, state: {terminated: {exitCode: 0, reason: Completed}}}]}",
      ["0/1", "Completed", "0"],
    ],
    [
      "an exit code without a reason",
      one,
      "{phase: Failed, containerStatuses: [{name: a, ready: false, restartCount: 0, state: {terminated: {exitCode: 3}}}]}",
      ["0/1", "ExitCode:3", "0"],
    ],
    [
      "Init:0/1",
      "{containers: [{name: a}], initContainers: [{name: i}]}",
      "{phase: Pending, initContainerStatuses: [{name: i, restartCount: 0, state: {running: {}}}], containerStatuses: [{name: a, restartCount: 0, state: {waiting: {reason: PodInitializing}}}]}",
      ["0/1", "Init:0/1", "0"],
    ],
    [
      "a sidecar among the ready containers",
      "{containers: [{name: a}], initContainers: [{name: s, restartPolicy: Always}]}",
      "{phase: Running, initContainerStatuses: [{name: s, ready: true, started: true, restartCount: 0, state: {running: {}}}], containerStatuses: [{name: a, ready: true, restartCount: 0, state: {running: {}}}]}",
      ["2/2", "Running", "0"],
    ],
    [
      "SchedulingGated",
      one,
      "{phase: Pending, conditions: [{type: PodScheduled, reason: SchedulingGated}]}",
      ["0/1", "SchedulingGated", "0"],
    ],
  ])("%s", (_, spec, status, cells) => {
    expect(row(pods, withStatus(spec, status)).slice(1, 4)).toEqual(cells);
  });

  it("Terminating once it is being deleted", () => {
    const pod = withStatus(one, "{phase: Running}");
    pod.metadata.deletionTimestamp = "2026-01-01T11:59:00Z";
    expect(row(pods, pod)[2]).toBe("Terminating");
  });
});

describe("A Pod's grace period", () => {
  it("is its own, the client's, or none before it has run", () => {
    const pod = create(pods, probe);
    expect(pods.gracePeriod?.(pod, undefined)).toBe(0);
    Object.assign(pod["spec"] as object, { nodeName: "n" });
    expect(pods.gracePeriod?.(pod, undefined)).toBe(30);
    expect(pods.gracePeriod?.(pod, 5)).toBe(5);
  });
});
