import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../src/embedded/api/object.ts";
import { asNobody } from "../fixture/control-plane.ts";
import { workloadLab } from "../fixture/workload-lab.ts";

const autoscalers = { group: "autoscaling", resource: "horizontalpodautoscalers" };
const deployments = { group: "apps", resource: "deployments" };

interface Autoscaler extends KubeObject {
  status: {
    currentReplicas?: number;
    desiredReplicas: number;
    currentMetrics: unknown;
    conditions: { type: string; status: string; reason: string; message: string }[];
  };
}

function lab(replicas: number, min: number, max: number) {
  const world = workloadLab();
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "nginx", image: "nginx:1.27" }] } };
  world.make(deployments, {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: { replicas, selector: { matchLabels: labels }, template },
  });
  world.api.create(
    { ...autoscalers, version: "v1", namespace: "lab" },
    {
      apiVersion: "autoscaling/v1",
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "web" },
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
        minReplicas: min,
        maxReplicas: max,
        targetCPUUtilizationPercentage: 50,
      },
    },
    asNobody,
  );
  world.pass(16);
  return {
    ...world,
    autoscaler: () => world.get<Autoscaler>(autoscalers, "web")!,
    conditions: () =>
      world.get<Autoscaler>(autoscalers, "web")!.status.conditions.map((c) => `${c.type} ${c.status} ${c.reason}`),
    replicas: () => world.get<KubeObject & { spec: { replicas: number } }>(deployments, "web")!.spec.replicas,
  };
}

describe("A HorizontalPodAutoscaler without metrics", () => {
  it("says why it cannot compute anything", () => {
    const web = lab(2, 1, 4);
    const why =
      "failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)";
    expect(web.conditions()).toEqual([
      "AbleToScale True SucceededGetScale",
      "ScalingActive False FailedGetResourceMetric",
    ]);
    expect(web.autoscaler().status.conditions[1]!.message).toBe(
      `the HPA was unable to compute the replica count: ${why}`,
    );
    expect(web.autoscaler().status).toMatchObject({ currentReplicas: 2, desiredReplicas: 0 });
    expect(web.eventsOf("web").filter((e) => e.startsWith("Warning"))).toEqual([
      `Warning FailedGetResourceMetric ${why}`,
      `Warning FailedComputeMetricsReplicas invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: ${why}`,
    ]);
    expect(web.problems).toEqual([]);
    web.shutDown();
  });

  it.each([
    [1, 3, 5, 3, "Current number of replicas below Spec.MinReplicas"],
    [6, 1, 2, 2, "Current number of replicas above Spec.MaxReplicas"],
  ])("brings %i replicas within %i and %i", (replicas, min, max, wanted, reason) => {
    const web = lab(replicas, min, max);
    expect(web.replicas()).toBe(wanted);
    expect(web.conditions()).toEqual(["AbleToScale True SucceededRescale"]);
    expect(web.eventsOf("web")).toContain(`Normal SuccessfulRescale New size: ${wanted}; reason: ${reason}`);
    web.shutDown();
  });

  it("does not touch what is scaled to zero", () => {
    const web = lab(0, 1, 4);
    expect(web.replicas()).toBe(0);
    expect(web.conditions()).toEqual(["AbleToScale True SucceededGetScale", "ScalingActive False ScalingDisabled"]);
    web.shutDown();
  });

  it("misses a target that is not there", () => {
    const web = lab(1, 1, 4);
    web.delete(deployments, "web");
    web.pass(31);
    expect(web.autoscaler().status.conditions[0]!.message).toBe(
      'the HPA controller was unable to get the target\'s current scale: deployments/scale.apps "web" not found',
    );
    web.shutDown();
  });

  it("is seen in either version, and changed in either", () => {
    const web = lab(1, 1, 4);
    const v1 = { ...autoscalers, version: "v1", namespace: "lab", name: "web" };
    expect(web.api.get(v1, asNobody)["spec"]).toMatchObject({ maxReplicas: 4, targetCPUUtilizationPercentage: 50 });
    const { generation } = web.autoscaler().metadata;
    const unchanged = web.api.patch(v1, "application/merge-patch+json", { spec: { maxReplicas: 4 } }, asNobody);
    expect(unchanged.object.metadata.generation).toBe(generation);
    const { object } = web.api.patch(v1, "application/merge-patch+json", { spec: { maxReplicas: 9 } }, asNobody);
    expect(object).toMatchObject({ apiVersion: "autoscaling/v1", spec: { maxReplicas: 9 } });
    expect(web.autoscaler()).toMatchObject({
      apiVersion: "autoscaling/v2",
      spec: { maxReplicas: 9, metrics: [{ type: "Resource", resource: { name: "cpu" } }] },
    });
    web.shutDown();
  });
});

describe("Events", () => {
  it("are the same by core and by events.k8s.io, which has other names for their fields", () => {
    const web = lab(1, 1, 4);
    const target = { group: "events.k8s.io", version: "v1", resource: "events", namespace: "lab" };
    const { items } = web.api.list(target, { fieldSelector: "regarding.kind=Deployment" }, asNobody);
    expect(items[0]).toMatchObject({
      apiVersion: "events.k8s.io/v1",
      regarding: { kind: "Deployment", name: "web" },
      note: expect.stringContaining("Scaled up replica set"),
      deprecatedCount: 1,
    });
    web.shutDown();
  });
});
