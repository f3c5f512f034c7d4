import { describe, expect, it } from "vitest";
import { FakeClock, rfc3339 } from "../../../src/embedded/api/clock.ts";
import { copy, type KubeObject } from "../../../src/embedded/api/object.ts";
import type { Pod } from "../../../src/embedded/api/pod.ts";
import { DeploymentController } from "../../../src/embedded/controllers/deployment/deployment-controller.ts";
import type { Deployment, ReplicaSet } from "../../../src/embedded/controllers/deployment/replica-sets.ts";
import { controllerIdentity } from "../../../src/embedded/controllers/framework/identity.ts";
import { ApiEventRecorder } from "../../../src/embedded/controllers/framework/recorder.ts";
import { namespaces, pods, serviceAccounts } from "../../../src/embedded/controllers/framework/resources.ts";
import { ReplicaSetController } from "../../../src/embedded/controllers/replicaset/replicaset-controller.ts";
import { createApi } from "../../../src/embedded/registry/create-api.ts";
import { MemoryStore } from "../../../src/embedded/store/memory-store.ts";

const deployments = { group: "apps", resource: "deployments" };
const replicaSets = { group: "apps", resource: "replicasets" };
const as = { user: { username: "kubernetes-admin", groups: ["system:masters"] }, fieldManager: "kubectl" };

/** Deployments and ReplicaSets at work; Pods become ready when the test says so. */
function lab() {
  const clock = new FakeClock();
  const store = new MemoryStore();
  const api = createApi({ store, clock });
  const problems: string[] = [];
  const identity = controllerIdentity("deployment-controller");
  const mine = { user: identity.user, fieldManager: identity.fieldManager };
  const log = (message: string) => problems.push(message);
  const context = { store, api, clock, as: mine, events: new ApiEventRecorder(api, clock, mine, log), log };
  api.create({ ...namespaces, name: "lab" }, { apiVersion: "v1", kind: "Namespace", metadata: { name: "lab" } }, as);
  api.create(
    { ...serviceAccounts, namespace: "lab", name: "default" },
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace: "lab" } },
    as,
  );
  for (const controller of [new ReplicaSetController(context), new DeploymentController(context)]) controller.start();
  const target = { ...deployments, namespace: "lab", name: "web" };
  const all = () => store.list(pods, "lab") as readonly Pod[];
  return {
    problems,
    settle: () => clock.advance(100),
    /** Every Pod that there is becomes ready; Pods that are made next are not. */
    runPods(): void {
      for (const pod of all()) {
        const status = {
          phase: "Running",
          conditions: [{ type: "Ready", status: "True", lastTransitionTime: rfc3339(clock.now()) }],
        };
        const { namespace, name } = pod.metadata;
        api.update({ ...pods, namespace, name, subresource: "status" }, { ...copy(pod), status }, as);
      }
      clock.advance(100);
    },
    /** Rolls on until nothing changes. */
    finish(): void {
      for (let round = 0; round < 20; round++) this.runPods();
    },
    create(replicas: number, spec: object = {}): void {
      const labels = { app: "web" };
      const template = { metadata: { labels }, spec: { containers: [{ name: "nginx", image: "nginx:1.27" }] } };
      api.create(
        { ...target },
        {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "web", namespace: "lab" },
          spec: { replicas, selector: { matchLabels: labels }, template, ...spec },
        },
        as,
      );
      clock.advance(100);
    },
    patch(patch: object): void {
      api.patch(target, "application/strategic-merge-patch+json", patch, as);
      clock.advance(100);
    },
    setImage(image: string): void {
      this.patch({ spec: { template: { spec: { containers: [{ name: "nginx", image }] } } } });
    },
    deployment: () => store.get(deployments, "lab", "web") as Deployment,
    sets: () => store.list(replicaSets, "lab") as readonly ReplicaSet[],
    images: () =>
      all()
        .map((pod) => pod.spec?.containers[0]?.image)
        .sort(),
    all,
    events: () =>
      store
        .list({ group: "", resource: "events" }, "lab")
        .filter((e: KubeObject) => e["reason"] === "ScalingReplicaSet")
        .map((e: KubeObject) => String(e["message"]).replace(/web-\w+/, "web-HASH")),
  };
}

describe("A Deployment", () => {
  it("makes a ReplicaSet that makes its Pods, and counts them", () => {
    const web = lab();
    web.create(2);
    const [set] = web.sets();
    expect(set?.metadata.name).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{8,10}$/);
    expect(set?.metadata.annotations).toEqual({
      "deployment.kubernetes.io/desired-replicas": "2",
      "deployment.kubernetes.io/max-replicas": "3",
      "deployment.kubernetes.io/revision": "1",
    });
    expect(web.all()).toHaveLength(2);
    web.finish();
    expect(web.deployment().status).toMatchObject({
      replicas: 2,
      readyReplicas: 2,
      updatedReplicas: 2,
      availableReplicas: 2,
    });
    expect(
      web
        .deployment()
        .status?.conditions?.map((c) => `${c.type} ${c.status} ${c.reason}`)
        .sort(),
    ).toEqual(["Available True MinimumReplicasAvailable", "Progressing True NewReplicaSetAvailable"]);
    expect(web.events()).toEqual(["Scaled up replica set web-HASH from 0 to 2"]);
    expect(web.problems).toEqual([]);
  });

  it("follows its replicas up and down", () => {
    const web = lab();
    web.create(2);
    web.finish();
    web.patch({ spec: { replicas: 5 } });
    web.finish();
    expect(web.all()).toHaveLength(5);
    web.patch({ spec: { replicas: 1 } });
    web.finish();
    expect(web.all()).toHaveLength(1);
    expect(web.sets()).toHaveLength(1);
  });

  it("rolls out a new template without ever having too few Pods available", () => {
    const web = lab();
    web.create(4);
    web.finish();
    web.setImage("nginx:1.28");
    expect(web.images()).toEqual(["nginx:1.27", "nginx:1.27", "nginx:1.27", "nginx:1.28", "nginx:1.28"]);
    web.finish();
    expect(web.images()).toEqual(Array(4).fill("nginx:1.28"));
    expect(web.deployment().metadata.annotations?.["deployment.kubernetes.io/revision"]).toBe("2");
    expect(
      web
        .sets()
        .map((set) => set.spec?.replicas)
        .sort(),
    ).toEqual([0, 4]);
    expect(web.problems).toEqual([]);
  });

  it("goes back to a template of before by the ReplicaSet of before, as a new revision", () => {
    const web = lab();
    web.create(1);
    web.finish();
    web.setImage("nginx:1.28");
    web.finish();
    web.setImage("nginx:1.27");
    web.finish();
    expect(web.sets()).toHaveLength(2);
    expect(web.images()).toEqual(["nginx:1.27"]);
    expect(web.deployment().metadata.annotations?.["deployment.kubernetes.io/revision"]).toBe("3");
  });

  it("with the strategy Recreate has no Pod of both templates", () => {
    const web = lab();
    web.create(2, { strategy: { type: "Recreate" } });
    web.finish();
    web.setImage("nginx:1.28");
    expect(web.images()).not.toContain("nginx:1.27");
    web.finish();
    expect(web.images()).toEqual(["nginx:1.28", "nginx:1.28"]);
  });

  it("that is paused starts no roll-out", () => {
    const web = lab();
    web.create(1);
    web.finish();
    web.patch({ spec: { paused: true } });
    web.setImage("nginx:1.28");
    web.finish();
    expect(web.images()).toEqual(["nginx:1.27"]);
  });
});
