// What the end-to-end tests of Kubernetes (test/e2e/apps) hold ReplicaSets, ReplicationControllers and Deployments to.
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../src/embedded/api/object.ts";
import type { Deployment, ReplicaSet } from "../../../src/embedded/controllers/deployment/replica-sets.ts";
import { asNobody } from "../fixture/control-plane.ts";
import { type WorkloadLab, workloadLab } from "../fixture/workload-lab.ts";

const deployments = { group: "apps", resource: "deployments" };
const replicaSets = { group: "apps", resource: "replicasets" };
const controllers = { group: "", resource: "replicationcontrollers" };
const quotas = { group: "", resource: "resourcequotas" };
const pods = { group: "", resource: "pods" };
const labels = { app: "web" };
const template = (image = "nginx:1.27") => ({ metadata: { labels }, spec: { containers: [{ name: "nginx", image }] } });

interface Conditioned extends KubeObject {
  status?: { conditions?: { type: string; status: string; reason: string; message: string }[] };
}

function createDeployment(world: WorkloadLab, spec: object = {}): void {
  world.make(deployments, {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: { replicas: 2, selector: { matchLabels: labels }, template: template(), ...spec },
  });
}

function createQuota(world: WorkloadLab, pods_: string): void {
  world.make(quotas, {
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: "team" },
    spec: { hard: { pods: pods_ } },
  });
  world.clock.advance(20);
}

const setImage = (world: WorkloadLab, image: string) =>
  world.patch(deployments, "web", { spec: { template: { spec: { containers: [{ name: "nginx", image }] } } } });

const conditions = (world: WorkloadLab, gr: typeof deployments, name: string) =>
  (world.get<Conditioned>(gr, name)!.status?.conditions ?? []).map((c) => `${c.type} ${c.status} ${c.reason}`).sort();

describe("ReplicaSets and ReplicationControllers", () => {
  it.each([
    ["ReplicaSet", replicaSets, "apps/v1", { matchLabels: labels }],
    ["ReplicationController", controllers, "v1", labels],
  ] as const)(
    "a %s shows that a quota keeps it from its Pods, until it does not want them",
    (kind, gr, apiVersion, selector) => {
      const world = workloadLab();
      createQuota(world, "2");
      world.make(gr, {
        apiVersion,
        kind,
        metadata: { name: "web" },
        spec: { replicas: 3, selector, template: template() },
      });
      world.pass(5);
      const failure = world.get<Conditioned>(gr, "web")!.status?.conditions?.[0];
      expect(failure).toMatchObject({ type: "ReplicaFailure", status: "True", reason: "FailedCreate" });
      expect(failure!.message).toContain("exceeded quota: team, requested: pods=1, used: pods=2, limited: pods=2");
      world.patch(gr, "web", { spec: { replicas: 2 } });
      world.pass(5);
      expect(conditions(world, gr as never, "web")).toEqual([]);
      world.shutDown();
    },
  );

  it("adopt matching Pods and release those that no longer match", () => {
    const world = workloadLab();
    world.createPod("mine", {}, { labels });
    world.pass(3);
    world.make(replicaSets, {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: { name: "web" },
      spec: { replicas: 1, selector: { matchLabels: labels }, template: template() },
    });
    world.pass(2);
    expect(world.podNames()).toEqual(["mine"]);
    world.patch(pods, "mine", { metadata: { labels: { app: "other" } } });
    world.pass(2);
    expect(world.pod("mine")!.metadata.ownerReferences).toBeUndefined();
    expect(world.podNames()).toHaveLength(2);
    world.shutDown();
  });
});

describe("Deployments", () => {
  it("show what keeps their ReplicaSet from its Pods", () => {
    const world = workloadLab();
    createQuota(world, "1");
    createDeployment(world);
    world.pass(5);
    expect(conditions(world, deployments, "web")).toContain("ReplicaFailure True FailedCreate");
    world.patch(quotas, "team", { spec: { hard: { pods: "9" } } });
    world.pass(60);
    expect(conditions(world, deployments, "web")).toEqual([
      "Available True MinimumReplicasAvailable",
      "Progressing True NewReplicaSetAvailable",
    ]);
    world.shutDown();
  });

  it("scale in proportion while a roll-out hangs", () => {
    const world = workloadLab();
    createDeployment(world, {
      replicas: 10,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } },
    });
    world.pass(5);
    setImage(world, "webserver:does-not-exist");
    world.pass(5);
    const sizes = () =>
      world
        .list<ReplicaSet>(replicaSets)
        .map((set) => set.spec?.replicas)
        .sort();
    expect(sizes()).toEqual([5, 8]);
    world.patch(deployments, "web", { spec: { replicas: 30 } });
    world.pass(2);
    expect(sizes()).toEqual([13, 20]);
    world.shutDown();
  });

  it("roll over to a newer template before the last one is through", () => {
    const world = workloadLab();
    createDeployment(world, { revisionHistoryLimit: 1 });
    world.pass(5);
    setImage(world, "nginx:does-not-exist");
    world.pass(3);
    setImage(world, "nginx:1.28");
    world.pass(20);
    expect(world.labPods().map((pod) => pod.spec?.containers[0]?.image)).toEqual(["nginx:1.28", "nginx:1.28"]);
    const sets = world.list<ReplicaSet>(replicaSets);
    expect(sets.map((set) => set.spec?.replicas).sort()).toEqual([0, 2]);
    world.shutDown();
  });

  it("leave their ReplicaSet when orphaned, and the next one of the same selector takes it", () => {
    const world = workloadLab();
    createDeployment(world);
    world.pass(5);
    const [set] = world.list<ReplicaSet>(replicaSets);
    world.delete(deployments, "web", { propagationPolicy: "Orphan" });
    world.pass(3);
    expect(world.get<ReplicaSet>(replicaSets, set!.metadata.name!)!.metadata.ownerReferences).toBeUndefined();
    createDeployment(world);
    world.pass(3);
    const adopted = world.list<ReplicaSet>(replicaSets);
    expect(adopted.map((s) => s.metadata.uid)).toEqual([set!.metadata.uid]);
    expect(adopted[0]!.metadata.ownerReferences?.[0]?.kind).toBe("Deployment");
    world.patch(replicaSets, set!.metadata.name!, { metadata: { ownerReferences: null } });
    world.pass(2);
    expect(world.get<ReplicaSet>(replicaSets, set!.metadata.name!)!.metadata.ownerReferences?.[0]?.name).toBe("web");
    world.shutDown();
  });

  it("say that they are paused and resumed", () => {
    const world = workloadLab();
    createDeployment(world);
    world.pass(5);
    world.patch(deployments, "web", { spec: { paused: true } });
    world.pass(1);
    expect(conditions(world, deployments, "web")).toContain("Progressing Unknown DeploymentPaused");
    setImage(world, "nginx:1.28");
    world.pass(3);
    expect(world.list(replicaSets)).toHaveLength(1);
    world.patch(deployments, "web", { spec: { paused: false } });
    world.pass(10);
    expect(conditions(world, deployments, "web")).toContain("Progressing True NewReplicaSetAvailable");
    world.shutDown();
  });

  it("say when there is no progress for too long", () => {
    const world = workloadLab();
    createDeployment(world, { progressDeadlineSeconds: 10 });
    world.pass(5);
    setImage(world, "nginx:does-not-exist");
    world.pass(30);
    const progressing = world
      .get<Conditioned>(deployments, "web")!
      .status!.conditions!.find((c) => c.type === "Progressing");
    expect(progressing).toMatchObject({ status: "False", reason: "ProgressDeadlineExceeded" });
    expect(progressing!.message).toMatch(/^ReplicaSet "web-\w+" has timed out progressing\.$/);
    world.shutDown();
  });

  it("have a scale and a status that can be changed", () => {
    const world = workloadLab();
    createDeployment(world);
    world.pass(5);
    const target = { ...deployments, namespace: "lab", name: "web" };
    const scale = world.api.get({ ...target, subresource: "scale" }, asNobody);
    expect(scale).toMatchObject({ spec: { replicas: 2 }, status: { replicas: 2, selector: "app=web" } });
    const condition = { type: "StatusUpdate", status: "True", reason: "E2E", message: "Set from e2e test" };
    const live = world.get<Deployment>(deployments, "web")!;
    const status = { ...live.status, conditions: [...live.status!.conditions!, condition] };
    world.api.update({ ...target, subresource: "status" }, { ...live, status }, asNobody);
    world.pass(3);
    expect(conditions(world, deployments, "web")).toContain("StatusUpdate True E2E");
    world.shutDown();
  });
});
