import { describe, expect, it } from "vitest";
import { formatIndexes, parseIndexes } from "../../../src/embedded/controllers/job/indexes.ts";
import { type Job, trackingFinalizer } from "../../../src/embedded/controllers/job/job.ts";
import { workloadLab } from "../fixture/workload-lab.ts";

const jobs = { group: "batch", resource: "jobs" };
const pods = { group: "", resource: "pods" };

function lab() {
  const world = workloadLab();
  return {
    ...world,
    createJob(command: string, spec: object = {}, podSpec: object = {}): void {
      const container = { name: "work", image: "busybox:1.36", command: ["sh", "-c", command] };
      const template = {
        spec: { restartPolicy: "Never", terminationGracePeriodSeconds: 1, containers: [container], ...podSpec },
      };
      world.make(jobs, {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: "sum" },
        spec: { template, ...spec },
      });
    },
    job: () => world.get<Job>(jobs, "sum")!,
    conditions: () =>
      (world.get<Job>(jobs, "sum")!.status?.conditions ?? []).map((c) => `${c.type} ${c.status} ${c.reason}`),
  };
}

describe("A Job", () => {
  it("runs its Pod to the end and is complete", () => {
    const sum = lab();
    sum.createJob("sleep 5");
    sum.clock.advance(10);
    expect(sum.job().status).toMatchObject({ active: 1, ready: 0, terminating: 0, uncountedTerminatedPods: {} });
    expect(sum.labPods()[0]!.metadata.finalizers).toEqual([trackingFinalizer]);
    sum.pass(20);
    const { status, metadata } = sum.job();
    expect(status).toMatchObject({ succeeded: 1, ready: 0, terminating: 0, uncountedTerminatedPods: {} });
    expect(status?.active).toBeUndefined();
    expect(status?.completionTime).toBeDefined();
    expect(sum.conditions()).toEqual([
      "SuccessCriteriaMet True CompletionsReached",
      "Complete True CompletionsReached",
    ]);
    const [pod] = sum.labPods();
    expect(pod!.metadata.finalizers).toBeUndefined();
    expect(pod!.metadata.labels).toEqual({
      "batch.kubernetes.io/controller-uid": metadata.uid,
      "batch.kubernetes.io/job-name": "sum",
      "controller-uid": metadata.uid,
      "job-name": "sum",
    });
    expect(sum.eventsOf("sum")).toEqual([
      `Normal SuccessfulCreate Created pod: ${pod!.metadata.name}`,
      "Normal Completed Job completed",
    ]);
    expect(sum.problems).toEqual([]);
    sum.shutDown();
  });

  it("runs no more Pods at a time than its parallelism, and as many as its completions", () => {
    const sum = lab();
    sum.createJob("sleep 3", { completions: 5, parallelism: 2 });
    let most = 0;
    for (let i = 0; i < 40; i++) {
      sum.pass(1);
      most = Math.max(most, sum.labPods().filter((pod) => pod.status?.phase === "Running").length);
    }
    expect(most).toBe(2);
    expect(sum.job().status?.succeeded).toBe(5);
    expect(sum.labPods()).toHaveLength(5);
    sum.shutDown();
  });

  it("without completions ends with the first success", () => {
    const sum = lab();
    sum.createJob("sleep 3", { parallelism: 3 });
    sum.pass(20);
    expect(sum.job().status?.succeeded).toBe(3);
    expect(sum.conditions().at(-1)).toBe("Complete True CompletionsReached");
    sum.shutDown();
  });

  it("tries again after ten, twenty … seconds, until its backoffLimit", () => {
    const sum = lab();
    sum.createJob("exit 1", { backoffLimit: 2 });
    sum.pass(8);
    expect(sum.labPods()).toHaveLength(1);
    sum.pass(8);
    expect(sum.labPods()).toHaveLength(2);
    sum.pass(12);
    expect(sum.labPods()).toHaveLength(2);
    sum.pass(20);
    expect(sum.labPods()).toHaveLength(3);
    expect(sum.job().status).toMatchObject({ failed: 3 });
    expect(sum.conditions()).toEqual(["FailureTarget True BackoffLimitExceeded", "Failed True BackoffLimitExceeded"]);
    expect(sum.job().status?.completionTime).toBeUndefined();
    expect(sum.eventsOf("sum").at(-1)).toBe("Warning BackoffLimitExceeded Job has reached the specified backoff limit");
    sum.shutDown();
  });

  it("counts restarts in place where containers are restarted OnFailure", () => {
    const sum = lab();
    sum.createJob("exit 1", { backoffLimit: 1 }, { restartPolicy: "OnFailure" });
    sum.pass(30);
    expect(sum.conditions().at(-1)).toBe("Failed True BackoffLimitExceeded");
    expect(sum.podNames()).toEqual([]);
    sum.shutDown();
  });

  it("gives each Pod of an indexed Job its index", () => {
    const sum = lab();
    sum.createJob("sleep 1", { completions: 4, parallelism: 4, completionMode: "Indexed" });
    sum.clock.advance(10);
    const pod = sum.labPods().find((p) => p.metadata.name!.startsWith("sum-2-"))!;
    const index = "batch.kubernetes.io/job-completion-index";
    expect(pod.metadata.annotations?.[index]).toBe("2");
    expect(pod.metadata.labels?.[index]).toBe("2");
    expect(pod.spec?.hostname).toBe("sum-2");
    expect(pod.spec?.containers[0]?.env).toEqual([
      {
        name: "JOB_COMPLETION_INDEX",
        valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: `metadata.labels['${index}']` } },
      },
    ]);
    sum.pass(10);
    expect(sum.job().status).toMatchObject({ succeeded: 4, completedIndexes: "0-3" });
    sum.shutDown();
  });

  it("with backoffLimitPerIndex goes on with the other indexes, and fails at the end", () => {
    const sum = lab();
    sum.createJob('if [ "$JOB_COMPLETION_INDEX" = "1" ]; then exit 1; fi', {
      completions: 3,
      parallelism: 3,
      completionMode: "Indexed",
      backoffLimitPerIndex: 1,
    });
    sum.pass(40);
    expect(sum.job().status).toMatchObject({ succeeded: 2, failed: 2, completedIndexes: "0,2", failedIndexes: "1" });
    expect(sum.conditions().at(-1)).toBe("Failed True FailedIndexes");
    sum.shutDown();
  });

  it("is a success as soon as its successPolicy is met", () => {
    const sum = lab();
    sum.createJob('if [ "$JOB_COMPLETION_INDEX" != "0" ]; then sleep 1000; fi', {
      completions: 3,
      parallelism: 3,
      completionMode: "Indexed",
      successPolicy: { rules: [{ succeededIndexes: "0" }] },
    });
    sum.pass(20);
    expect(sum.conditions()).toEqual(["SuccessCriteriaMet True SuccessPolicy", "Complete True SuccessPolicy"]);
    expect(sum.job().status?.conditions?.[0]?.message).toBe("Matched rules at index 0");
    expect(sum.podNames()).toHaveLength(1);
    sum.shutDown();
  });

  it("fails at once by its podFailurePolicy, and ignores what that tells it to", () => {
    const sum = lab();
    const onExitCodes = { operator: "In", values: [42] };
    sum.createJob("exit 42", { podFailurePolicy: { rules: [{ action: "FailJob", onExitCodes }] } });
    sum.pass(10);
    const [pod] = sum.podNames();
    expect(sum.job().status?.conditions?.map((c) => [c.type, c.message])).toEqual(
      ["FailureTarget", "Failed"].map((type) => [
        type,
        `Container work for pod lab/${pod} failed with exit code 42 matching FailJob rule at index 0`,
      ]),
    );
    sum.shutDown();
  });

  it("that is suspended has no Pods, and begins anew when it is resumed", () => {
    const sum = lab();
    sum.createJob("sleep 5", { suspend: true });
    sum.pass(2);
    expect(sum.podNames()).toEqual([]);
    expect(sum.job().status?.startTime).toBeUndefined();
    expect(sum.conditions()).toEqual(["Suspended True JobSuspended"]);
    sum.patch(jobs, "sum", { spec: { suspend: false } });
    expect(sum.podNames()).toHaveLength(1);
    expect(sum.conditions()).toEqual(["Suspended False JobResumed"]);
    sum.pass(2);
    sum.patch(jobs, "sum", { spec: { suspend: true } });
    sum.pass(5);
    expect(sum.podNames()).toEqual([]);
    expect(sum.job().status?.failed ?? 0).toBe(0);
    expect(sum.eventsOf("sum").map((e) => e.split(" ")[1])).toEqual([
      "SuccessfulCreate",
      "Resumed",
      "SuccessfulDelete",
      "Suspended",
    ]);
    sum.shutDown();
  });

  it("is ended by its deadline", () => {
    const sum = lab();
    sum.createJob("sleep 1000", { activeDeadlineSeconds: 7 });
    sum.pass(5);
    expect(sum.conditions()).toEqual([]);
    sum.pass(10);
    expect(sum.conditions()).toEqual(["FailureTarget True DeadlineExceeded", "Failed True DeadlineExceeded"]);
    expect(sum.podNames()).toEqual([]);
    expect(sum.job().status).toMatchObject({ failed: 1, terminating: 0 });
    sum.shutDown();
  });

  it.each([
    ["TerminatingOrFailed", 2, 1],
    ["Failed", 1, 0],
  ])(
    "with podReplacementPolicy %s has %i Pods while one that was deleted is still on its way out",
    (podReplacementPolicy, count, active) => {
      const sum = lab();
      sum.createJob("sleep 1000", { podReplacementPolicy });
      sum.pass(3);
      const [pod] = sum.labPods();
      sum.machines.stopMachine(pod!.spec!.nodeName!);
      sum.delete(pods, pod!.metadata.name!);
      sum.pass(15);
      expect(sum.labPods()).toHaveLength(count);
      expect(sum.job().status).toMatchObject({ terminating: 1 });
      expect(sum.job().status?.active ?? 0).toBe(active);
      sum.shutDown();
    },
  );

  it("lets its Pods go when it is deleted", () => {
    const sum = lab();
    sum.createJob("sleep 1000");
    sum.pass(3);
    sum.delete(jobs, "sum", { propagationPolicy: "Background" });
    sum.pass(20);
    expect(sum.podNames()).toEqual([]);
    expect(sum.problems).toEqual([]);
    sum.shutDown();
  });

  it("writes its indexes as ranges", () => {
    expect(formatIndexes(new Set([5, 0, 1, 3, 7, 6]))).toBe("0,1,3,5-7");
    expect([...parseIndexes("0,2-4,9", 4)]).toEqual([0, 2, 3]);
  });
});
