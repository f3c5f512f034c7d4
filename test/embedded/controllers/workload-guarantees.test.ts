// What the end-to-end tests of Kubernetes (test/e2e/apps) hold every cluster to, beyond what the other tests here say.
import { describe, expect, it } from "vitest";
import { copy, type KubeObject } from "../../../src/embedded/api/object.ts";
import type { Pod } from "../../../src/embedded/api/pod.ts";
import type { Job } from "../../../src/embedded/controllers/job/job.ts";
import type { StatefulSet } from "../../../src/embedded/controllers/statefulset/stateful-pod.ts";
import { asNobody } from "../fixture/control-plane.ts";
import { type WorkloadLab, workloadLab } from "../fixture/workload-lab.ts";

const statefulSets = { group: "apps", resource: "statefulsets" };
const daemonSets = { group: "apps", resource: "daemonsets" };
const revisions = { group: "apps", resource: "controllerrevisions" };
const jobs = { group: "batch", resource: "jobs" };
const cronJobs = { group: "batch", resource: "cronjobs" };
const budgets = { group: "policy", resource: "poddisruptionbudgets" };
const pods = { group: "", resource: "pods" };
const labels = { app: "web" };

function createSet(world: WorkloadLab, spec: object = {}, container: object = {}): void {
  const containers = [{ name: "web", image: "busybox:1.36", command: ["sleep", "100000"], ...container }];
  world.make(statefulSets, {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "ss" },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
      ...spec,
    },
  });
}

function createJob(world: WorkloadLab, command: string, spec: object = {}, podSpec: object = {}): void {
  const containers = [{ name: "c", image: "busybox:1.36", command: ["sh", "-c", command] }];
  world.make(jobs, {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "job" },
    spec: { template: { spec: { restartPolicy: "Never", containers, ...podSpec } }, ...spec },
  });
}

const owner = (pod: Pod | undefined) => pod?.metadata.ownerReferences?.find((o) => o.controller)?.name;

/** Changes what only the kubelet reports, as a test of readiness does with a file in the container. */
function setReady(world: WorkloadLab, name: string, ready: boolean): void {
  const pod = copy(world.pod(name)!);
  pod.status!.conditions = pod.status!.conditions!.map((c) =>
    c.type === "Ready" ? { ...c, status: ready ? "True" : "False" } : c,
  );
  world.api.update({ ...pods, namespace: "lab", name, subresource: "status" }, pod, asNobody);
}

describe("StatefulSets", () => {
  it("adopt matching orphans and release Pods that no longer match", () => {
    const world = workloadLab();
    createSet(world, { replicas: 1 });
    world.pass(5);
    const before = world.pod("ss-0")!.metadata;
    world.patch(pods, "ss-0", { metadata: { ownerReferences: null } });
    world.pass(2);
    expect(owner(world.pod("ss-0"))).toBe("ss");
    world.patch(pods, "ss-0", { metadata: { labels: { app: null } } });
    world.pass(2);
    expect(owner(world.pod("ss-0"))).toBeUndefined();
    world.patch(pods, "ss-0", { metadata: { labels: { app: "web" } } });
    world.pass(2);
    expect(owner(world.pod("ss-0"))).toBe("ss");
    expect(world.pod("ss-0")!.metadata.uid).toBe(before.uid);
    world.shutDown();
  });

  it("halt while a Pod is not ready, upwards and downwards", () => {
    const world = workloadLab();
    createSet(world, { replicas: 1 });
    world.pass(5);
    setReady(world, "ss-0", false);
    world.patch(statefulSets, "ss", { spec: { replicas: 3 } });
    world.clock.advance(10);
    expect(world.podNames()).toEqual(["ss-0"]);
    setReady(world, "ss-0", true);
    world.pass(10);
    expect(world.podNames()).toEqual(["ss-0", "ss-1", "ss-2"]);
    for (const name of world.podNames()) setReady(world, name, false);
    world.patch(statefulSets, "ss", { spec: { replicas: 0 } });
    expect(world.podNames()).toEqual(["ss-0", "ss-1", "ss-2"]);
    for (const name of world.podNames()) setReady(world, name, true);
    world.pass(40);
    expect(world.podNames()).toEqual([]);
    world.shutDown();
  });

  it("with the policy Parallel go on however unhealthy a Pod is", () => {
    const world = workloadLab();
    createSet(world, { replicas: 1, podManagementPolicy: "Parallel" });
    world.pass(5);
    setReady(world, "ss-0", false);
    world.patch(statefulSets, "ss", { spec: { replicas: 3 } });
    world.clock.advance(10);
    expect(world.podNames()).toEqual(["ss-0", "ss-1", "ss-2"]);
    world.shutDown();
  });

  it("make a Pod anew that was evicted or failed", () => {
    const world = workloadLab();
    createSet(world, { replicas: 1 });
    world.pass(5);
    const pod = copy(world.pod("ss-0")!);
    pod.status = { ...pod.status, phase: "Failed", reason: "Evicted" };
    world.api.update({ ...pods, namespace: "lab", name: "ss-0", subresource: "status" }, pod, asNobody);
    world.pass(10);
    expect(world.pod("ss-0")!.metadata.uid).not.toBe(pod.metadata.uid);
    expect(world.pod("ss-0")!.status?.phase).toBe("Running");
    world.shutDown();
  });

  it.each([
    [undefined, { ordinals: { start: 2 }, replicas: 3 }, ["ss-2", "ss-3", "ss-4"]],
    [{ start: 2 }, { ordinals: { start: 4 } }, ["ss-4", "ss-5"]],
    [{ start: 3 }, { ordinals: { start: 2 } }, ["ss-2", "ss-3"]],
    [{ start: 3 }, { ordinals: null }, ["ss-0", "ss-1"]],
  ])("move from ordinals %o by %o to %o", (ordinals, change, names) => {
    const world = workloadLab();
    createSet(world, { replicas: 2, ordinals });
    world.pass(10);
    world.patch(statefulSets, "ss", { spec: change });
    world.pass(60);
    expect(world.podNames()).toEqual(names);
    const { status } = world.get<StatefulSet>(statefulSets, "ss")!;
    expect(status).toMatchObject({ replicas: names.length, readyReplicas: names.length });
    world.shutDown();
  });

  it("have a scale, and a status that can be patched", () => {
    const world = workloadLab();
    createSet(world, { replicas: 1 });
    world.pass(5);
    const target = { ...statefulSets, namespace: "lab", name: "ss" };
    const scale = world.api.get({ ...target, subresource: "scale" }, asNobody);
    expect(scale).toMatchObject({ kind: "Scale", spec: { replicas: 1 }, status: { replicas: 1, selector: "app=web" } });
    world.api.update({ ...target, subresource: "scale" }, { ...scale, spec: { replicas: 2 } }, asNobody);
    world.pass(5);
    expect(world.podNames()).toEqual(["ss-0", "ss-1"]);
    const condition = { type: "StatusUpdate", status: "True", reason: "E2E", message: "Set from e2e test" };
    const patch = { status: { conditions: [condition] } };
    world.api.patch({ ...target, subresource: "status" }, "application/merge-patch+json", patch, asNobody);
    world.pass(5);
    expect(world.get<StatefulSet>(statefulSets, "ss")!.status?.conditions?.[0]).toMatchObject(condition);
    world.api.deleteCollection({ ...statefulSets, namespace: "lab" }, {}, {}, asNobody);
    world.pass(40);
    expect([world.list(statefulSets), world.podNames()]).toEqual([[], []]);
    world.shutDown();
  });
});

describe("Jobs", () => {
  const index = "batch.kubernetes.io/job-completion-index";

  it("adopt matching orphans and release Pods that no longer match", () => {
    const world = workloadLab();
    createJob(world, "sleep 100000", { parallelism: 2, completions: 4 });
    world.pass(3);
    const [name] = world.podNames();
    world.patch(pods, name!, { metadata: { ownerReferences: null } });
    world.pass(2);
    expect(owner(world.pod(name!))).toBe("job");
    world.patch(pods, name!, { metadata: { labels: null } });
    world.pass(3);
    expect(owner(world.pod(name!))).toBeUndefined();
    expect(world.pod(name!)!.metadata.finalizers).toBeUndefined();
    expect(world.labPods().filter((pod) => owner(pod) === "job")).toHaveLength(2);
    world.shutDown();
  });

  it("record in each Pod how often its index has failed", () => {
    const world = workloadLab();
    createJob(world, "exit 1", { parallelism: 2, completions: 2, completionMode: "Indexed", backoffLimitPerIndex: 1 });
    world.pass(40);
    const counts = world
      .labPods()
      .map(({ metadata }) => [
        metadata.annotations?.[index],
        metadata.annotations?.["batch.kubernetes.io/job-index-failure-count"],
      ]);
    expect(counts.sort()).toEqual([
      ["0", "0"],
      ["0", "1"],
      ["1", "0"],
      ["1", "1"],
    ]);
    const { status } = world.get<Job>(jobs, "job")!;
    expect(status).toMatchObject({ failed: 4, failedIndexes: "0,1" });
    expect(status?.completedIndexes).toBeUndefined();
    world.shutDown();
  });

  it("end when too many indexes have failed, and fail an index at once by the action FailIndex", () => {
    const world = workloadLab();
    createJob(world, "exit 1", {
      completions: 4,
      parallelism: 2,
      completionMode: "Indexed",
      backoffLimitPerIndex: 0,
      maxFailedIndexes: 0,
    });
    world.pass(20);
    expect(world.get<Job>(jobs, "job")!.status?.conditions?.at(-1)).toMatchObject({
      type: "Failed",
      reason: "MaxFailedIndexesExceeded",
    });
    world.shutDown();

    const other = workloadLab();
    createJob(other, 'if [ "$JOB_COMPLETION_INDEX" = "0" ]; then exit 42; fi', {
      completions: 2,
      parallelism: 2,
      completionMode: "Indexed",
      backoffLimitPerIndex: 1,
      podFailurePolicy: { rules: [{ action: "FailIndex", onExitCodes: { operator: "In", values: [42] } }] },
    });
    other.pass(20);
    const job = other.get<Job>(jobs, "job")!;
    expect(job.status).toMatchObject({ failed: 1, succeeded: 1, failedIndexes: "0", completedIndexes: "1" });
    other.shutDown();
  });

  it("ignore failures by a disruption where the policy says so", () => {
    const world = workloadLab();
    createJob(world, "sleep 100000", {
      backoffLimit: 0,
      podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] }] },
    });
    world.pass(3);
    const [name] = world.podNames();
    const pod = copy(world.pod(name!)!);
    pod.status = {
      ...pod.status,
      phase: "Failed",
      conditions: [
        ...pod.status!.conditions!,
        { type: "DisruptionTarget", status: "True", reason: "EvictionByEvictionAPI" },
      ],
    };
    world.api.update({ ...pods, namespace: "lab", name: name!, subresource: "status" }, pod, asNobody);
    world.pass(15);
    const { status } = world.get<Job>(jobs, "job")!;
    expect([status?.failed ?? 0, status?.active]).toEqual([0, 1]);
    world.shutDown();
  });

  it("leave a Job alone that somebody else manages", () => {
    const world = workloadLab();
    createJob(world, "true", { managedBy: "example.com/custom-job-controller" });
    world.pass(5);
    expect(world.podNames()).toEqual([]);
    expect(world.get<Job>(jobs, "job")!.status).toEqual({});
    world.shutDown();
  });

  it("count their ready Pods", () => {
    const world = workloadLab();
    createJob(world, "sleep 100000", { parallelism: 2, completions: 2 });
    world.pass(5);
    expect(world.get<Job>(jobs, "job")!.status).toMatchObject({ active: 2, ready: 2 });
    world.shutDown();
  });
});

describe("CronJobs", () => {
  const createCronJob = (world: WorkloadLab, spec: object = {}) => {
    const containers = [{ name: "c", image: "busybox:1.36", command: ["sh", "-c", "sleep 1"] }];
    world.make(cronJobs, {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name: "cron" },
      spec: {
        schedule: "* * * * *",
        jobTemplate: { spec: { template: { spec: { restartPolicy: "OnFailure", containers } } } },
        ...spec,
      },
    });
  };

  it("give no unexpected warnings", () => {
    const world = workloadLab();
    createCronJob(world);
    world.pass(200);
    expect(world.eventsOf("cron").filter((e) => /UnexpectedJob|MissingJob|Warning/.test(e))).toEqual([]);
    world.shutDown();
  });

  it("start after more than a hundred missed times", () => {
    const world = workloadLab();
    createCronJob(world, { suspend: true });
    world.pass(1);
    for (let i = 0; i < 130; i++) world.clock.advance(60_000);
    world.patch(cronJobs, "cron", { spec: { suspend: false } });
    world.pass(2);
    expect(world.list(jobs)).toHaveLength(1);
    expect(world.eventsOf("cron")).toContain(
      "Warning TooManyMissedTimes too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew",
    );
    world.shutDown();
  });

  it("forget an active Job that was deleted", () => {
    const world = workloadLab();
    createCronJob(world, { concurrencyPolicy: "Forbid" });
    world.pass(61);
    const [job] = world.list(jobs);
    world.delete(jobs, job!.metadata.name!, { propagationPolicy: "Background" });
    world.pass(2);
    expect(world.eventsOf("cron")).toContain(`Normal MissingJob Active job went missing: ${job!.metadata.name}`);
    expect(world.get<KubeObject & { status: { active?: unknown[] } }>(cronJobs, "cron")!.status.active).toBeUndefined();
    world.shutDown();
  });
});

describe("PodDisruptionBudgets", () => {
  it("can be counted for Pods of nobody, when the minimum is a number", () => {
    const world = workloadLab();
    for (const name of ["a", "b", "c"]) world.createPod(name, {}, { labels });
    world.make(budgets, {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name: "web" },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    });
    world.pass(5);
    const { status } = world.get<KubeObject & { status: object }>(budgets, "web")!;
    expect(status).toMatchObject({ currentHealthy: 3, disruptionsAllowed: 2, expectedPods: 3 });
    world.patch(budgets, "web", { spec: { minAvailable: null, maxUnavailable: 1 } });
    world.pass(1);
    expect(world.eventsOf("web").some((e) => e.startsWith("Warning UnmanagedPods Pods selected by this"))).toBe(true);
    world.shutDown();
  });
});

describe("ControllerRevisions", () => {
  it("can be made, changed and deleted beside a DaemonSet, which counts on", () => {
    const world = workloadLab();
    const container = { name: "agent", image: "busybox:1.36", command: ["sleep", "100000"] };
    world.make(daemonSets, {
      apiVersion: "apps/v1",
      kind: "DaemonSet",
      metadata: { name: "agent" },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    });
    world.pass(5);
    const [first] = world.list<KubeObject & { revision: number; data: unknown }>(revisions);
    const { ownerReferences } = first!.metadata;
    world.make(revisions, {
      apiVersion: "apps/v1",
      kind: "ControllerRevision",
      metadata: {
        name: "agent-another",
        labels: { ...labels, "controller-revision-hash": "another" },
        ownerReferences,
      },
      data: first!.data,
      revision: first!.revision + 1,
    });
    world.pass(1);
    expect(world.list(revisions)).toHaveLength(2);
    world.delete(revisions, first!.metadata.name!);
    world.pass(2);
    expect(world.list(revisions).map((r) => r.metadata.name)).toEqual(["agent-another"]);
    world.patch(daemonSets, "agent", { spec: { template: { spec: { terminationGracePeriodSeconds: 1 } } } });
    world.pass(2);
    world.delete(revisions, "agent-another");
    world.pass(2);
    expect(world.list<KubeObject & { revision: number }>(revisions).map((r) => r.revision)).toEqual([3]);
    world.shutDown();
  });
});
