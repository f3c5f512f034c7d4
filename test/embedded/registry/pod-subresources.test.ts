import { describe, expect, it } from "vitest";
import type { Pod } from "../../../src/embedded/api/pod.ts";
import { asNobody, controlPlane } from "../fixture/control-plane.ts";

const pods = { group: "", resource: "pods", namespace: "lab" };
const strategic = "application/strategic-merge-patch+json";

function lab() {
  const plane = controlPlane();
  plane.addLab();
  const resources = { requests: { cpu: "100m", memory: "64Mi" } };
  plane.createPod("web", { containers: [{ name: "nginx", image: "nginx:1.27", resources }] });
  plane.clock.advance(3000);
  const patch = (subresource: string, spec: object) =>
    plane.api.patch({ ...pods, name: "web", subresource }, strategic, { spec }, asNobody).object as Pod;
  return { ...plane, patch };
}

describe("The subresource ephemeralcontainers of a Pod", () => {
  const debugger_ = { name: "debugger", image: "busybox:1.36", command: ["sleep", "1000"] };

  it("adds a container that runs beside the others, and stays as it is", () => {
    const { patch, pod, clock } = lab();
    patch("ephemeralcontainers", { ephemeralContainers: [debugger_] });
    clock.advance(3000);
    expect(pod("web")?.status?.ephemeralContainerStatuses?.[0]).toMatchObject({
      name: "debugger",
      state: { running: {} },
    });
    expect(() => patch("ephemeralcontainers", { ephemeralContainers: [{ name: "debugger", image: "nginx" }] })).toThrow(
      'existing ephemeral containers "debugger" may not be changed',
    );
  });

  it("is the only way to add one, and changes nothing else", () => {
    const { patch } = lab();
    expect(() => patch("", { ephemeralContainers: [debugger_] })).toThrow(
      "pod updates may not change fields other than",
    );
    const spec = { ephemeralContainers: [debugger_], activeDeadlineSeconds: 5 };
    expect(patch("ephemeralcontainers", spec).spec?.activeDeadlineSeconds).toBeUndefined();
  });
});

describe("The subresource resize of a Pod", () => {
  const amounts = (requests: object) => ({ containers: [{ name: "nginx", resources: { requests } }] });

  it("gives a container other CPU and memory, without a restart", () => {
    const { patch, pod, clock } = lab();
    const { generation } = pod("web")!.metadata;
    expect(patch("resize", amounts({ cpu: "200m" })).metadata.generation).toBe(generation! + 1);
    clock.advance(3000);
    expect(pod("web")?.status?.containerStatuses?.[0]).toMatchObject({
      restartCount: 0,
      resources: { requests: { cpu: "200m", memory: "64Mi" } },
    });
  });

  it("may not change the quality of service, nor take a request away", () => {
    const { patch } = lab();
    expect(() =>
      patch("resize", { containers: [{ name: "nginx", resources: { requests: { cpu: null, memory: null } } }] }),
    ).toThrow(/Pod QOS Class may not change as a result of resizing.*resource requests cannot be removed/);
    expect(() => patch("resize", amounts({ "ephemeral-storage": "1Gi" }))).toThrow(
      "only cpu and memory resources are mutable",
    );
  });
});
