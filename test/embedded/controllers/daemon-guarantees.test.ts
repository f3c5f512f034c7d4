// What the end-to-end tests of Kubernetes (test/e2e/apps/daemon_set.go) hold DaemonSets to.
import { describe, expect, it } from "vitest";
import { copy, type KubeObject } from "../../../src/embedded/api/object.ts";
import { isPodReady } from "../../../src/embedded/api/pod.ts";
import type { DaemonSet } from "../../../src/embedded/controllers/daemonset/eligibility.ts";
import { asNobody } from "../fixture/control-plane.ts";
import { workloadLab } from "../fixture/workload-lab.ts";

const daemonSets = { group: "apps", resource: "daemonsets" };
const revisions = { group: "apps", resource: "controllerrevisions" };
const pods = { group: "", resource: "pods" };
const labels = { "daemonset-name": "daemon-set" };
const workers = ["lab-worker", "lab-worker2"];

function lab(spec: object = {}, podSpec: object = {}) {
  const world = workloadLab();
  const container = { name: "app", image: "busybox:1.36", command: ["sleep", "100000"] };
  world.make(daemonSets, {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: "daemon-set" },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { terminationGracePeriodSeconds: 1, containers: [container], ...podSpec },
      },
      ...spec,
    },
  });
  world.pass(5);
  const setImage = (image: string) =>
    world.patch(daemonSets, "daemon-set", { spec: { template: { spec: { containers: [{ ...container, image }] } } } });
  return {
    ...world,
    setImage,
    nodes: () =>
      world
        .labPods()
        .map((pod) => pod.spec?.nodeName)
        .sort(),
    images: () => world.labPods().map((pod) => pod.spec?.containers[0]?.image),
    uids: () =>
      world
        .labPods()
        .map((pod) => pod.metadata.uid)
        .sort(),
    daemonSet: () => world.get<DaemonSet>(daemonSets, "daemon-set")!,
    label: (node: string, color: string | null) => world.patchNode(node, { metadata: { labels: { color } } }),
  };
}

describe("DaemonSets", () => {
  it("run a daemon on every node that takes Pods, and another one when it is deleted", () => {
    const world = lab();
    expect(world.nodes()).toEqual(workers);
    world.delete(pods, world.podNames()[0]!);
    world.pass(5);
    expect(world.nodes()).toEqual(workers);
    expect(world.daemonSet().status).toMatchObject({ desiredNumberScheduled: 2, numberReady: 2, numberAvailable: 2 });
    world.shutDown();
  });

  it.each([
    ["a node selector", { nodeSelector: { color: "blue" } }],
    [
      "node affinity",
      {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: "color", operator: "In", values: ["blue"] }] }],
            },
          },
        },
      },
    ],
  ])("with %s follow the labels of nodes", (_how, podSpec) => {
    const world = lab({}, podSpec);
    expect(world.nodes()).toEqual([]);
    world.label("lab-worker", "blue");
    world.pass(3);
    expect(world.nodes()).toEqual(["lab-worker"]);
    world.label("lab-worker", "green");
    world.pass(5);
    expect(world.nodes()).toEqual([]);
    world.shutDown();
  });

  it("replace a daemon that has failed", () => {
    const world = lab();
    const pod = copy(world.labPods()[0]!);
    pod.status = { ...pod.status, phase: "Failed" };
    const target = { ...pods, namespace: "lab", name: pod.metadata.name!, subresource: "status" };
    world.api.update(target, pod, asNobody);
    world.pass(5);
    expect(world.nodes()).toEqual(workers);
    expect(world.uids()).not.toContain(pod.metadata.uid);
    world.shutDown();
  });

  it("with OnDelete keep what runs, though the template has a new revision", () => {
    const world = lab({ updateStrategy: { type: "OnDelete" } });
    const before = world.uids();
    world.setImage("busybox:1.37");
    world.pass(5);
    expect(world.uids()).toEqual(before);
    expect(
      world
        .list<KubeObject & { revision: number }>(revisions)
        .map((r) => r.revision)
        .sort(),
    ).toEqual([1, 2]);
    world.shutDown();
  });

  it("with RollingUpdate replace all, and go back without restarts that are not needed", () => {
    const world = lab();
    world.setImage("busybox:1.37");
    world.pass(10);
    expect(world.images()).toEqual(["busybox:1.37", "busybox:1.37"]);
    const before = world.uids();
    world.setImage("busybox:does-not-exist");
    world.pass(10);
    const [kept] = world.uids().filter((uid) => before.includes(uid));
    expect(kept).toBeDefined();
    world.setImage("busybox:1.37");
    world.pass(10);
    expect(world.images()).toEqual(["busybox:1.37", "busybox:1.37"]);
    expect(world.uids()).toContain(kept);
    world.shutDown();
  });

  it("with maxSurge start the new daemon before the old one goes", () => {
    const world = lab({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
    let most = 0;
    let fewest = 9;
    world.store.watch(pods, () => {
      const ready = world.labPods().filter((p) => isPodReady(p) && p.metadata.deletionTimestamp === undefined);
      most = Math.max(most, world.labPods().length);
      fewest = Math.min(fewest, ready.length);
    });
    world.setImage("busybox:1.37");
    world.pass(10);
    // The other node's may begin while the first old one is still on its way out.
    expect(most).toBeGreaterThan(2);
    expect(fewest).toBe(2);
    expect(world.images()).toEqual(["busybox:1.37", "busybox:1.37"]);
    world.shutDown();
  });

  it("have a status that can be patched, and go as a collection with their Pods", () => {
    const world = lab();
    const condition = { type: "StatusUpdate", status: "True", reason: "E2E", message: "Set from e2e test" };
    const target = { ...daemonSets, namespace: "lab", name: "daemon-set", subresource: "status" };
    world.api.patch(target, "application/merge-patch+json", { status: { conditions: [condition] } }, asNobody);
    world.pass(2);
    expect(world.daemonSet().status?.conditions).toMatchObject([condition]);
    world.api.deleteCollection({ ...daemonSets, namespace: "lab" }, {}, {}, asNobody);
    world.pass(10);
    expect([world.list(daemonSets), world.podNames(), world.list(revisions)]).toEqual([[], [], []]);
    expect(world.problems).toEqual([]);
    world.shutDown();
  });
});
