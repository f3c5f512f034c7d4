import { describe, expect, it } from "vitest";
import { leases } from "../../../src/embedded/controllers/framework/resources.ts";
import { controlPlane } from "../fixture/control-plane.ts";

const patient = (key: string, tolerationSeconds: number) => ({
  key,
  operator: "Exists",
  effect: "NoExecute",
  tolerationSeconds,
});

describe("A machine", () => {
  it("registers as kind's nodes do, ready and with a Lease", () => {
    const lab = controlPlane();
    lab.addLab();
    const node = lab.node("lab-control-plane");
    expect(node.metadata.labels).toEqual({
      "beta.kubernetes.io/arch": "amd64",
      "beta.kubernetes.io/os": "linux",
      "kubernetes.io/arch": "amd64",
      "kubernetes.io/hostname": "lab-control-plane",
      "kubernetes.io/os": "linux",
      "node-role.kubernetes.io/control-plane": "",
      "node.kubernetes.io/exclude-from-external-load-balancers": "",
    });
    expect(node.metadata.annotations).toEqual({ "node.alpha.kubernetes.io/ttl": "0" });
    expect(node.spec?.taints).toEqual([{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }]);
    expect(lab.node("lab-worker").spec).toEqual({});
    expect(node.status?.conditions?.find((c) => c.type === "Ready")).toMatchObject({
      status: "True",
      reason: "KubeletReady",
    });
    expect(lab.store.get(leases, "kube-node-lease", "lab-worker")).toBeDefined();
    expect(lab.problems).toEqual([]);
  });

  it("that is stopped becomes NotReady after the grace period, and its Pods leave when their patience ends", () => {
    const lab = controlPlane();
    lab.addLab();
    lab.patchNode("lab-worker2", { spec: { unschedulable: true } });
    const tolerations = [patient("node.kubernetes.io/not-ready", 300), patient("node.kubernetes.io/unreachable", 300)];
    lab.createPod("web", { tolerations });
    lab.createPod("daemon", { tolerations: [{ operator: "Exists" }], nodeName: "lab-worker" });
    lab.clock.advance(500);
    lab.machines.stopMachine("lab-worker");
    lab.clock.advance(20_000);
    expect(lab.node("lab-worker").status?.conditions?.find((c) => c.type === "Ready")?.status).toBe("True");
    lab.clock.advance(30_000);
    expect(lab.node("lab-worker").status?.conditions?.find((c) => c.type === "Ready")).toMatchObject({
      status: "Unknown",
      reason: "NodeStatusUnknown",
      message: "Kubelet stopped posting node status.",
    });
    expect(lab.node("lab-worker").spec?.taints?.map((t) => `${t.key}:${t.effect}`)).toEqual([
      "node.kubernetes.io/unreachable:NoSchedule",
      "node.kubernetes.io/unreachable:NoExecute",
    ]);
    expect(lab.pod("web")?.status?.conditions?.find((c) => c.type === "Ready")?.status).toBe("False");
    expect(lab.pod("web")?.metadata.deletionTimestamp).toBeUndefined();
    lab.clock.advance(301_000);
    // Terminating, but nobody on the dead machine confirms it.
    expect(lab.pod("web")?.metadata.deletionTimestamp).toBeDefined();
    expect(lab.pod("daemon")?.metadata.deletionTimestamp).toBeUndefined();
    lab.machines.startMachine("lab-worker");
    lab.clock.advance(1000);
    expect(lab.node("lab-worker").spec?.taints ?? []).toEqual([]);
    expect(lab.pod("web")).toBeUndefined();
    expect(lab.pod("daemon")?.status?.conditions?.find((c) => c.type === "Ready")?.status).toBe("True");
    expect(lab.problems).toEqual([]);
  });

  it("that is removed takes its Node with it, and its Pods go", () => {
    const lab = controlPlane();
    lab.addLab();
    lab.createPod("web", { nodeName: "lab-worker" });
    lab.clock.advance(500);
    lab.machines.removeMachine("lab-worker");
    lab.clock.advance(60_000);
    expect(lab.node("lab-worker")).toBeUndefined();
    expect(lab.pod("web")).toBeUndefined();
    expect(lab.problems).toEqual([]);
  });
});

describe("Taints", () => {
  it("of a cordon come and go with it", () => {
    const lab = controlPlane();
    lab.addLab();
    lab.patchNode("lab-worker", { spec: { unschedulable: true } });
    expect(lab.node("lab-worker").spec).toMatchObject({
      unschedulable: true,
      taints: [{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }],
    });
    lab.patchNode("lab-worker", { spec: { unschedulable: null } });
    expect(lab.node("lab-worker").spec).toEqual({});
  });

  it("with NoExecute drive out at once who does not tolerate them, and later who does for a time", () => {
    const lab = controlPlane();
    lab.addLab();
    const pool = (more: object) => [{ key: "pool", operator: "Exists", effect: "NoExecute", ...more }];
    lab.createPod("none", { nodeName: "lab-worker" });
    lab.createPod("while", { nodeName: "lab-worker", tolerations: pool({ tolerationSeconds: 60 }) });
    lab.createPod("ever", { nodeName: "lab-worker", tolerations: pool({}) });
    lab.clock.advance(500);
    lab.patchNode("lab-worker", { spec: { taints: [{ key: "pool", value: "gpu", effect: "NoExecute" }] } });
    lab.clock.advance(500);
    expect(["none", "while", "ever"].map((n) => lab.pod(n) !== undefined)).toEqual([false, true, true]);
    lab.clock.advance(61_000);
    expect(["while", "ever"].map((n) => lab.pod(n) !== undefined)).toEqual([false, true]);
    expect(lab.eventsOf("none")).toContain("Normal TaintManagerEviction Marking for deletion Pod lab/none");
  });
});
