import { describe, expect, it } from "vitest";
import { controlPlane } from "../fixture/control-plane.ts";

describe("After the process began anew", () => {
  it("machines are on again and Pods go on where they were", () => {
    const first = controlPlane();
    first.addLab();
    first.createPod("web", { nodeName: "lab-worker" });
    const job = { name: "job", image: "busybox:1.36", command: ["sh", "-c", "sleep 60; exit 3"] };
    first.createPod("job", { restartPolicy: "Never", containers: [job], nodeName: "lab-worker2" });
    first.clock.advance(10_000);
    const before = first.pod("web")?.status;
    first.shutDown();
    first.clock.advance(30_000);

    const second = controlPlane({}, first);
    second.clock.advance(1000);
    expect(second.machines.names().sort()).toEqual(["lab-control-plane", "lab-worker", "lab-worker2"]);
    expect(second.pod("web")?.status).toEqual(before);
    expect(second.pod("job")?.status?.phase).toBe("Running");
    second.clock.advance(20_000);
    expect(second.pod("job")?.status?.phase).toBe("Failed");
    expect(second.pod("job")?.status?.containerStatuses?.[0]?.state?.terminated?.exitCode).toBe(3);
    second.deletePod("web");
    second.clock.advance(200);
    expect(second.pod("web")).toBeUndefined();
    expect([...first.problems, ...second.problems]).toEqual([]);
  });

  it("a deletion that was under way is finished", () => {
    const first = controlPlane();
    first.addLab();
    first.createPod("web", { nodeName: "lab-worker" });
    first.clock.advance(500);
    first.shutDown();
    first.deletePod("web");
    first.clock.advance(5000);
    expect(first.pod("web")?.metadata.deletionTimestamp).toBeDefined();
    const second = controlPlane({}, first);
    second.clock.advance(500);
    expect(second.pod("web")).toBeUndefined();
  });
});
