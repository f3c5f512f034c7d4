import { describe, expect, it } from "vitest";
import { asNobody, controlPlane } from "../fixture/control-plane.ts";

const claims = { group: "", resource: "persistentvolumeclaims", namespace: "lab" };
const storageClasses = { group: "storage.k8s.io", resource: "storageclasses" };
const ingresses = { group: "networking.k8s.io", resource: "ingresses", namespace: "lab" };
const ingressClasses = { group: "networking.k8s.io", resource: "ingressclasses" };

function lab() {
  const plane = controlPlane();
  const create = (target: object, body: object) => plane.api.create(target as never, body, asNobody);
  return {
    ...plane,
    storageClass(name: string, isDefault: boolean, allowVolumeExpansion = false): void {
      const annotations = { "storageclass.kubernetes.io/is-default-class": String(isDefault) };
      const body = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: { name, annotations } };
      create(storageClasses, { ...body, provisioner: "rancher.io/local-path", allowVolumeExpansion });
      plane.clock.advance(1000);
    },
    claim(name: string, storageClassName?: string) {
      const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, storageClassName };
      return create(claims, { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name }, spec });
    },
    grow: (name: string) =>
      plane.api.patch(
        { ...claims, name },
        "application/merge-patch+json",
        { spec: { resources: { requests: { storage: "2Gi" } } } },
        asNobody,
      ),
    bind(name: string): void {
      const live = plane.store.get(claims, "lab", name)!;
      const body = { ...live, status: { phase: "Bound" } };
      plane.api.update({ ...claims, name, subresource: "status" }, body, asNobody);
    },
  };
}

describe("Admission", () => {
  it("gives a claim the newest default class, unless it names one or none", () => {
    const { storageClass, claim } = lab();
    expect(claim("early")["spec"]).not.toHaveProperty("storageClassName");
    storageClass("old", true);
    storageClass("new", true);
    storageClass("other", false);
    expect(claim("plain")["spec"]).toMatchObject({ storageClassName: "new" });
    expect(claim("chosen", "other")["spec"]).toMatchObject({ storageClassName: "other" });
    expect(claim("none", "")["spec"]).toMatchObject({ storageClassName: "" });
  });

  it("protects claims and volumes that are in use", () => {
    expect(lab().claim("data").metadata.finalizers).toEqual(["kubernetes.io/pvc-protection"]);
  });

  it("lets a claim grow only where its class allows it", () => {
    const { storageClass, claim, grow, bind } = lab();
    storageClass("rigid", false);
    storageClass("elastic", false, true);
    claim("data", "rigid");
    bind("data");
    expect(() => grow("data")).toThrow(
      'persistentvolumeclaims "data" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
    claim("more", "elastic");
    bind("more");
    expect(() => grow("more")).not.toThrow();
  });

  it("gives an Ingress the default class", () => {
    const { api } = lab();
    const annotations = { "ingressclass.kubernetes.io/is-default-class": "true" };
    api.create(
      ingressClasses,
      {
        apiVersion: "networking.k8s.io/v1",
        kind: "IngressClass",
        metadata: { name: "nginx", annotations },
        spec: { controller: "example.com/ingress" },
      },
      asNobody,
    );
    const backend = { service: { name: "web", port: { number: 80 } } };
    const ingress = { apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata: { name: "web" } };
    const created = api.create(ingresses, { ...ingress, spec: { defaultBackend: backend } }, asNobody);
    expect(created["spec"]).toMatchObject({ ingressClassName: "nginx" });
  });
});
