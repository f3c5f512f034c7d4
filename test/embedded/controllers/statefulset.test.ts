import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../src/embedded/api/object.ts";
import type { StatefulSet } from "../../../src/embedded/controllers/statefulset/stateful-pod.ts";
import { workloadLab } from "../fixture/workload-lab.ts";

const statefulSets = { group: "apps", resource: "statefulsets" };
const revisions = { group: "apps", resource: "controllerrevisions" };
const claims = { group: "", resource: "persistentvolumeclaims" };
const pods = { group: "", resource: "pods" };

function lab() {
  const world = workloadLab();
  return {
    ...world,
    createSet(spec: object = {}): void {
      const labels = { app: "web" };
      const container = { name: "nginx", image: "nginx:1.27" };
      world.make(statefulSets, {
        apiVersion: "apps/v1",
        kind: "StatefulSet",
        metadata: { name: "web" },
        spec: {
          serviceName: "web",
          replicas: 3,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { terminationGracePeriodSeconds: 1, containers: [container] } },
          ...spec,
        },
      });
    },
    set: () => world.get<StatefulSet>(statefulSets, "web")!,
    setImage(image: string): void {
      world.patch(statefulSets, "web", { spec: { template: { spec: { containers: [{ name: "nginx", image }] } } } });
    },
    images: () => Object.fromEntries(world.labPods().map((p) => [p.metadata.name, p.spec?.containers[0]?.image])),
  };
}

describe("A StatefulSet", () => {
  it("makes its Pods one after the other, each with its identity", () => {
    const web = lab();
    web.createSet();
    web.clock.advance(10);
    expect(web.podNames()).toEqual(["web-0"]);
    web.pass(20);
    expect(web.podNames()).toEqual(["web-0", "web-1", "web-2"]);
    const pod = web.pod("web-1")!;
    const revision = web.set().status?.updateRevision;
    expect(pod.metadata.labels).toEqual({
      app: "web",
      "apps.kubernetes.io/pod-index": "1",
      "controller-revision-hash": revision,
      "statefulset.kubernetes.io/pod-name": "web-1",
    });
    expect(pod.spec).toMatchObject({ hostname: "web-1", subdomain: "web" });
    expect(web.set().status).toEqual({
      observedGeneration: 1,
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
      currentRevision: revision,
      updateRevision: revision,
      collisionCount: 0,
    });
    expect(web.eventsOf("web")).toEqual([
      "Normal SuccessfulCreate Create Pod web-0 in StatefulSet web successful",
      "Normal SuccessfulCreate Create Pod web-1 in StatefulSet web successful",
      "Normal SuccessfulCreate Create Pod web-2 in StatefulSet web successful",
    ]);
    expect(web.problems).toEqual([]);
    web.shutDown();
  });

  it("with the policy Parallel makes them all at once, from the ordinal it starts with", () => {
    const web = lab();
    web.createSet({ podManagementPolicy: "Parallel", ordinals: { start: 5 } });
    web.clock.advance(10);
    expect(web.podNames()).toEqual(["web-5", "web-6", "web-7"]);
    web.shutDown();
  });

  it("gives up the highest ordinal first, and makes a Pod that was deleted anew", () => {
    const web = lab();
    web.createSet();
    web.pass(20);
    const uid = web.pod("web-1")!.metadata.uid;
    web.delete(pods, "web-1");
    web.pass(20);
    expect(web.pod("web-1")!.metadata.uid).not.toBe(uid);
    web.patch(statefulSets, "web", { spec: { replicas: 1 } });
    web.pass(20);
    expect(web.podNames()).toEqual(["web-0"]);
    expect(web.eventsOf("web").slice(-2)).toEqual([
      "Normal SuccessfulDelete Delete Pod web-2 in StatefulSet web successful",
      "Normal SuccessfulDelete Delete Pod web-1 in StatefulSet web successful",
    ]);
    web.shutDown();
  });

  it("rolls out from the highest ordinal, and goes back to the revision of before", () => {
    const web = lab();
    web.createSet();
    web.pass(20);
    const first = web.set().status?.currentRevision;
    web.setImage("nginx:1.28");
    expect(web.set().status).toMatchObject({ currentReplicas: 2, currentRevision: first });
    web.pass(60);
    expect(web.eventsOf("web").filter((e) => e.includes("Delete Pod"))).toEqual(
      ["web-2", "web-1", "web-0"].map(
        (pod) => `Normal SuccessfulDelete Delete Pod ${pod} in StatefulSet web successful`,
      ),
    );
    expect(web.images()).toEqual({ "web-0": "nginx:1.28", "web-1": "nginx:1.28", "web-2": "nginx:1.28" });
    const { status } = web.set();
    expect(status?.currentRevision).toBe(status?.updateRevision);
    expect(status?.currentRevision).not.toBe(first);
    web.setImage("nginx:1.27");
    web.pass(60);
    expect(web.set().status?.currentRevision).toBe(first);
    expect(
      web
        .list<KubeObject & { revision: number }>(revisions)
        .map((r) => r.revision)
        .sort(),
    ).toEqual([2, 3]);
    expect(web.problems).toEqual([]);
    web.shutDown();
  });

  it("leaves Pods below the partition as they are, and makes them of the old revision", () => {
    const web = lab();
    web.createSet({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } } });
    web.pass(20);
    web.setImage("nginx:1.28");
    web.pass(40);
    expect(web.images()).toEqual({ "web-0": "nginx:1.27", "web-1": "nginx:1.27", "web-2": "nginx:1.28" });
    web.delete(pods, "web-0");
    web.pass(20);
    expect(web.images()["web-0"]).toBe("nginx:1.27");
    expect(web.set().status).toMatchObject({ currentReplicas: 2, updatedReplicas: 1 });
    web.shutDown();
  });

  it("with OnDelete waits until somebody deletes a Pod", () => {
    const web = lab();
    web.createSet({ updateStrategy: { type: "OnDelete" } });
    web.pass(20);
    web.setImage("nginx:1.28");
    web.pass(20);
    expect(Object.values(web.images())).toEqual(Array(3).fill("nginx:1.27"));
    web.delete(pods, "web-1");
    web.pass(20);
    expect(web.images()).toEqual({ "web-0": "nginx:1.27", "web-1": "nginx:1.28", "web-2": "nginx:1.27" });
    web.shutDown();
  });

  it("counts a Pod as available only after minReadySeconds, and waits for it", () => {
    const web = lab();
    web.createSet({ replicas: 2, minReadySeconds: 30 });
    web.pass(20);
    expect(web.podNames()).toEqual(["web-0"]);
    expect(web.set().status).toMatchObject({ readyReplicas: 1, availableReplicas: 0 });
    web.pass(70);
    expect(web.set().status).toMatchObject({ readyReplicas: 2, availableReplicas: 2 });
    web.shutDown();
  });

  const volumeClaimTemplates = [
    {
      metadata: { name: "data" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    },
  ];

  it("gives each Pod its claim and keeps the claims when it is scaled down", () => {
    const web = lab();
    web.createSet({ replicas: 2, volumeClaimTemplates, podManagementPolicy: "Parallel" });
    web.pass(5);
    expect(web.list(claims).map((c) => [c.metadata.name, c.metadata.labels])).toEqual([
      ["data-web-0", { app: "web" }],
      ["data-web-1", { app: "web" }],
    ]);
    expect(web.pod("web-1")!.spec?.volumes?.[0]).toEqual({
      name: "data",
      persistentVolumeClaim: { claimName: "data-web-1" },
    });
    expect(web.eventsOf("web")[0]).toBe(
      "Normal SuccessfulCreate Create Claim data-web-0 Pod web-0 in StatefulSet web success",
    );
    web.patch(statefulSets, "web", { spec: { replicas: 0 } });
    web.pass(20);
    expect(web.list(claims)).toHaveLength(2);
    web.shutDown();
  });

  it("with whenScaled Delete lets a claim go with its Pod, and with whenDeleted Delete all with the set", () => {
    const web = lab();
    web.createSet({
      replicas: 2,
      volumeClaimTemplates,
      podManagementPolicy: "Parallel",
      persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete", whenDeleted: "Delete" },
    });
    web.pass(5);
    expect(web.get(claims, "data-web-1")!.metadata.ownerReferences?.map((o) => o.kind)).toEqual(["StatefulSet"]);
    web.patch(statefulSets, "web", { spec: { replicas: 1 } });
    web.pass(20);
    expect(web.list(claims).map((c) => c.metadata.name)).toEqual(["data-web-0"]);
    web.delete(statefulSets, "web");
    web.pass(20);
    expect(web.list(claims)).toEqual([]);
    expect(web.podNames()).toEqual([]);
    expect(web.problems).toEqual([]);
    web.shutDown();
  });
});
