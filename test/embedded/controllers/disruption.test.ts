import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../src/embedded/api/object.ts";
import { asNobody } from "../fixture/control-plane.ts";
import { workloadLab } from "../fixture/workload-lab.ts";

const budgets = { group: "policy", resource: "poddisruptionbudgets" };
const deployments = { group: "apps", resource: "deployments" };
const pods = { group: "", resource: "pods" };
const labels = { app: "web" };

interface Budget extends KubeObject {
  status: {
    disruptionsAllowed: number;
    currentHealthy: number;
    desiredHealthy: number;
    expectedPods: number;
    disruptedPods?: Record<string, string>;
    conditions: { status: string; reason: string; message: string }[];
  };
}

function lab() {
  const world = workloadLab();
  return {
    ...world,
    createWeb(replicas = 3): void {
      const template = { metadata: { labels }, spec: { containers: [{ name: "nginx", image: "nginx:1.27" }] } };
      world.make(deployments, {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "web" },
        spec: { replicas, selector: { matchLabels: labels }, template },
      });
      world.pass(5);
    },
    createBudget(spec: object): void {
      world.make(budgets, {
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        metadata: { name: "web" },
        spec: { selector: { matchLabels: labels }, ...spec },
      });
      world.clock.advance(100);
    },
    budget: () => world.get<Budget>(budgets, "web")!,
    evict(name: string): unknown {
      const target = { ...pods, namespace: "lab", name, subresource: "eviction" };
      return world.api.create(target, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name } }, asNobody);
    },
  };
}

describe("A PodDisruptionBudget", () => {
  it.each([
    [{ minAvailable: 2 }, 3, 2, 1],
    [{ minAvailable: "50%" }, 3, 2, 1],
    [{ maxUnavailable: 1 }, 3, 2, 1],
    [{ maxUnavailable: "100%" }, 3, 0, 3],
    [{ minAvailable: 3 }, 3, 3, 0],
  ])("with %o counts %i Pods, wants %i and allows %i disruptions", (spec, expectedPods, desiredHealthy, allowed) => {
    const web = lab();
    web.createWeb();
    web.createBudget(spec);
    expect(web.budget().status).toMatchObject({
      expectedPods,
      desiredHealthy,
      currentHealthy: 3,
      disruptionsAllowed: allowed,
      observedGeneration: 1,
      conditions: [
        {
          type: "DisruptionAllowed",
          status: allowed > 0 ? "True" : "False",
          reason: allowed > 0 ? "SufficientPods" : "InsufficientPods",
          message: "",
        },
      ],
    });
    web.shutDown();
  });

  it("lets one Pod be evicted, and the next one when another has taken its place", () => {
    const web = lab();
    web.createWeb();
    web.createBudget({ minAvailable: 2 });
    const [first, second] = web.podNames();
    web.evict(first!);
    expect(() => web.evict(second!)).toThrow("Cannot evict pod as it would violate the pod's disruption budget.");
    web.pass(5);
    expect(web.budget().status).toMatchObject({ currentHealthy: 3, disruptionsAllowed: 1 });
    expect(web.budget().status.disruptedPods).toBeUndefined();
    web.evict(second!);
    expect(web.problems).toEqual([]);
    web.shutDown();
  });

  it("allows nothing while it covers no Pod", () => {
    const web = lab();
    web.createBudget({ maxUnavailable: 1 });
    expect(web.budget().status).toMatchObject({ expectedPods: 0, disruptionsAllowed: 0 });
    expect(web.eventsOf("web")).toEqual(["Normal NoPods No matching pods found"]);
    web.shutDown();
  });

  it("says why Pods of a DaemonSet cannot be counted", () => {
    const web = lab();
    web.make(
      { group: "apps", resource: "daemonsets" },
      {
        apiVersion: "apps/v1",
        kind: "DaemonSet",
        metadata: { name: "agent" },
        spec: {
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: "a", image: "nginx:1.27" }] } },
        },
      },
    );
    web.pass(3);
    web.createBudget({ maxUnavailable: 1 });
    const message = "daemonsets.apps does not implement the scale subresource";
    expect(web.budget().status.conditions[0]).toMatchObject({ status: "False", reason: "SyncFailed", message });
    expect(web.eventsOf("web").at(-1)).toBe(
      `Warning CalculateExpectedPodCountFailed Failed to calculate the number of expected pods: ${message}`,
    );
    web.shutDown();
  });
});
