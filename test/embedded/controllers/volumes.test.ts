import { describe, expect, it } from "vitest";
import { persistentVolumeClaims, persistentVolumes } from "../../../src/embedded/controllers/framework/resources.ts";
import { asNobody, controlPlane } from "../fixture/control-plane.ts";

const claimSpec = {
  accessModes: ["ReadWriteOnce"],
  storageClassName: "standard",
  resources: { requests: { storage: "1Gi" } },
};

describe("A claim of the class standard", () => {
  it("waits for its first Pod, gets a volume on that Pod's node, and gives it back", () => {
    const lab = controlPlane();
    lab.addLab();
    lab.create(persistentVolumeClaims, {
      kind: "PersistentVolumeClaim",
      metadata: { name: "data", namespace: "lab" },
      spec: claimSpec,
    });
    lab.clock.advance(200);
    const claim = () => lab.store.get(persistentVolumeClaims, "lab", "data");
    expect((claim()?.["status"] as { phase?: string } | undefined)?.phase).not.toBe("Bound");
    expect(lab.eventsOf("data")).toContain(
      "Normal WaitForFirstConsumer waiting for first consumer to be created before binding",
    );
    lab.createPod("db", { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] });
    lab.clock.advance(500);
    expect(lab.pod("db")?.status?.phase).toBe("Running");
    expect(claim()?.["status"]).toMatchObject({ phase: "Bound", capacity: { storage: "1Gi" } });
    const [volume] = lab.store.list(persistentVolumes);
    expect(volume?.["status"]).toEqual({ phase: "Bound" });
    expect(volume?.["spec"]).toMatchObject({
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [{ values: [lab.pod("db")?.spec?.nodeName] }] }] },
      },
    });
    lab.deletePod("db");
    lab.api.delete({ ...persistentVolumeClaims, namespace: "lab", name: "data" }, {}, asNobody);
    lab.clock.advance(500);
    expect(lab.store.list(persistentVolumes)).toEqual([]);
    expect(lab.problems).toEqual([]);
  });

  it("that is missing keeps a Pod from being scheduled", () => {
    const lab = controlPlane();
    lab.addLab();
    lab.createPod("db", { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] });
    lab.clock.advance(200);
    expect(lab.pod("db")?.status?.conditions?.[0]?.message).toBe(
      '0/3 nodes are available: persistentvolumeclaim "data" not found. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    );
  });
});
