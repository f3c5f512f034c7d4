import { describe, expect, it } from "vitest";
import { controlPlane, worker } from "../fixture/control-plane.ts";

const asks = (cpu: string) => ({
  containers: [
    { name: "agent", image: "busybox:1.36", command: ["sleep", "infinity"], resources: { requests: { cpu } } },
  ],
});
/** A cluster of one node, with a class of priority 1000 that preempts and one that waits. */
function oneNode() {
  const lab = controlPlane();
  lab.machines.addMachine(worker("only"));
  const classes = { group: "scheduling.k8s.io", resource: "priorityclasses" };
  const highClass = { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", value: 1000 };
  lab.create(classes, { ...highClass, metadata: { name: "high" } });
  lab.create(classes, { ...highClass, metadata: { name: "patient" }, preemptionPolicy: "Never" });
  lab.clock.advance(100);
  return lab;
}
const suffix =
  "no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.";

describe("The scheduler says in the recorded words why it cannot place a Pod", () => {
  it.each([
    [
      "a node selector that no node matches",
      { nodeSelector: { gpu: "true" } },
      `0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 node(s) didn't match Pod's node affinity/selector. ${suffix}`,
    ],
    [
      "more CPUs than any node has",
      asks("64"),
      `0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu. ${suffix}`,
    ],
  ])("%s", (_what, spec, message) => {
    const lab = controlPlane();
    lab.addLab();
    lab.createPod("probe", spec);
    lab.clock.advance(100);
    const condition = lab.pod("probe")?.status?.conditions?.[0];
    expect(condition).toMatchObject({ type: "PodScheduled", status: "False", reason: "Unschedulable", message });
    expect(lab.eventsOf("probe")).toEqual([`Warning FailedScheduling ${message}`]);
    expect(lab.problems).toEqual([]);
  });

  it("where there is no node at all", () => {
    const lab = controlPlane();
    lab.clock.advance(10);
    lab.createPod("probe");
    lab.clock.advance(100);
    expect(lab.pod("probe")?.status?.conditions?.[0]?.message).toBe("no nodes available to schedule pods");
  });
});

describe("The scheduler places Pods", () => {
  it("on the node a daemon's affinity names, past its taint if tolerated", () => {
    const lab = controlPlane();
    lab.addLab();
    const term = { matchFields: [{ key: "metadata.name", operator: "In", values: ["lab-control-plane"] }] };
    lab.createPod("daemon", {
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } },
      tolerations: [{ operator: "Exists" }],
    });
    lab.clock.advance(100);
    expect(lab.pod("daemon")?.spec?.nodeName).toBe("lab-control-plane");
    expect(lab.eventsOf("daemon")[0]).toBe("Normal Scheduled Successfully assigned lab/daemon to lab-control-plane");
  });

  it("evenly over nodes of the same size", () => {
    const lab = controlPlane();
    lab.addLab();
    for (let i = 0; i < 6; i++) lab.createPod(`web-${i}`, asks("100m"));
    lab.clock.advance(200);
    const on = (node: string) => [0, 1, 2, 3, 4, 5].filter((i) => lab.pod(`web-${i}`)?.spec?.nodeName === node).length;
    expect([on("lab-worker"), on("lab-worker2")]).toEqual([3, 3]);
  });

  it("as soon as a node begins to match, without waiting for a timer", () => {
    const lab = controlPlane();
    lab.addLab();
    lab.createPod("probe", { nodeSelector: { disk: "ssd" } });
    lab.clock.advance(100);
    expect(lab.pod("probe")?.spec?.nodeName).toBeUndefined();
    lab.patchNode("lab-worker2", { metadata: { labels: { disk: "ssd" } } });
    expect(lab.pod("probe")?.spec?.nodeName).toBe("lab-worker2");
  });

  it("apart from those their anti-affinity rejects", () => {
    const lab = controlPlane();
    lab.addLab();
    const term = { labelSelector: { matchLabels: { app: "db" } }, topologyKey: "kubernetes.io/hostname" };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    for (const i of [0, 1, 2]) lab.createPod(`db-${i}`, { affinity }, { labels: { app: "db" } });
    lab.clock.advance(200);
    const placed = [0, 1, 2].map((i) => lab.pod(`db-${i}`)?.spec?.nodeName);
    expect(placed.filter((n) => n !== undefined).sort()).toEqual(["lab-worker", "lab-worker2"]);
    const left = placed.indexOf(undefined);
    expect(lab.pod(`db-${left}`)?.status?.conditions?.[0]?.message).toContain(
      "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 node(s) didn't match pod anti-affinity rules.",
    );
  });

  it("within the skew of a topology spread constraint", () => {
    const lab = controlPlane();
    lab.addLab();
    const constraint = {
      maxSkew: 1,
      topologyKey: "kubernetes.io/hostname",
      whenUnsatisfiable: "DoNotSchedule",
      labelSelector: { matchLabels: { app: "web" } },
      nodeTaintsPolicy: "Honor",
    };
    lab.patchNode("lab-worker2", { spec: { unschedulable: true } });
    for (const i of [0, 1, 2]) {
      lab.createPod(`web-${i}`, { topologySpreadConstraints: [constraint] }, { labels: { app: "web" } });
    }
    lab.clock.advance(200);
    // The cordoned node's taint takes it out of the count.
    expect([0, 1, 2].map((i) => lab.pod(`web-${i}`)?.spec?.nodeName)).toEqual(Array(3).fill("lab-worker"));
  });
});

describe("Preemption", () => {
  it("evicts a Pod of lower priority, nominates the node, and binds there", () => {
    const lab = oneNode();
    lab.createPod("low", asks("3"));
    lab.clock.advance(100);
    lab.createPod("high", { ...asks("3"), priorityClassName: "high" });
    lab.clock.advance(500);
    expect(lab.pod("low")).toBeUndefined();
    expect(lab.pod("high")?.spec?.nodeName).toBe("only");
    expect(lab.eventsOf("low").some((e) => e.startsWith("Normal Preempted Preempted by pod "))).toBe(true);
    expect(lab.problems).toEqual([]);
  });

  it("is not for Pods whose policy is Never", () => {
    const lab = oneNode();
    lab.createPod("low", asks("3"));
    lab.clock.advance(100);
    lab.createPod("high", { ...asks("3"), priorityClassName: "patient" });
    lab.clock.advance(500);
    expect(lab.pod("low")?.status?.phase).toBe("Running");
    expect(lab.pod("high")?.status?.conditions?.[0]?.message).toBe(
      "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.",
    );
  });
});
