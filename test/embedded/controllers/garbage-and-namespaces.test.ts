import { describe, expect, it } from "vitest";
import {
  configMaps,
  endpointSlices,
  endpoints,
  namespaces,
  serviceAccounts,
  services,
} from "../../../src/embedded/controllers/framework/resources.ts";
import { asNobody, controlPlane } from "../fixture/control-plane.ts";

function family() {
  const lab = controlPlane();
  lab.clock.advance(50);
  const make = (name: string, owners: object[] = [], namespace = "lab") =>
    lab.create(configMaps, { kind: "ConfigMap", metadata: { name, namespace, ownerReferences: owners as never } });
  const ownedBy = (owner: { metadata: { name?: string; uid?: string } }, block = true) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    name: owner.metadata.name,
    uid: owner.metadata.uid,
    blockOwnerDeletion: block,
  });
  const get = (name: string, namespace = "lab") => lab.store.get(configMaps, namespace, name);
  const remove = (name: string, propagationPolicy: "Background" | "Foreground" | "Orphan") => {
    lab.api.delete({ ...configMaps, namespace: "lab", name }, { propagationPolicy }, asNobody);
  };
  return { lab, make, ownedBy, get, remove };
}

describe("The garbage collector", () => {
  it("deletes dependents of dependents after a background deletion", () => {
    const { lab, make, ownedBy, get, remove } = family();
    const owner = make("owner");
    const child = make("child", [ownedBy(owner)]);
    make("grandchild", [ownedBy(child)]);
    remove("owner", "Background");
    lab.clock.advance(50);
    expect(["owner", "child", "grandchild"].map((n) => get(n))).toEqual([undefined, undefined, undefined]);
  });

  it("keeps the owner of a foreground deletion until its blocking dependents are gone", () => {
    const { lab, make, ownedBy, get, remove } = family();
    const owner = make("owner");
    const child = make("child", [ownedBy(owner)]);
    lab.api.patch(
      { ...configMaps, namespace: "lab", name: "child" },
      "application/merge-patch+json",
      { metadata: { finalizers: ["example.com/hold"] } },
      asNobody,
    );
    remove("owner", "Foreground");
    lab.clock.advance(50);
    expect(get("owner")?.metadata.finalizers).toEqual(["foregroundDeletion"]);
    expect(get("child")?.metadata.deletionTimestamp).toBeDefined();
    lab.api.patch(
      { ...configMaps, namespace: "lab", name: "child" },
      "application/merge-patch+json",
      { metadata: { finalizers: null } },
      asNobody,
    );
    lab.clock.advance(50);
    expect([get("owner"), get(child.metadata.name!)]).toEqual([undefined, undefined]);
  });

  it("sets dependents free when they are to be orphaned", () => {
    const { lab, make, ownedBy, get, remove } = family();
    make("child", [ownedBy(make("owner"))]);
    remove("owner", "Orphan");
    lab.clock.advance(50);
    expect(get("owner")).toBeUndefined();
    expect(get("child")?.metadata.ownerReferences).toBeUndefined();
  });

  it("keeps who still has an owner, without the reference to the lost one", () => {
    const { lab, make, ownedBy, get, remove } = family();
    const [a, b] = [make("a"), make("b")];
    make("child", [ownedBy(a), ownedBy(b)]);
    remove("a", "Background");
    lab.clock.advance(50);
    expect(get("child")?.metadata.ownerReferences?.map((r) => r.name)).toEqual(["b"]);
  });

  it("deletes what names an owner that never was, or lives in another namespace", () => {
    const { lab, make, ownedBy, get } = family();
    make("stray", [ownedBy({ metadata: { name: "nobody", uid: "00000000-0000-0000-0000-000000000000" } })]);
    make("abroad", [ownedBy(make("foreigner", [], "default"))]);
    lab.clock.advance(50);
    expect([get("stray"), get("abroad")]).toEqual([undefined, undefined]);
    expect(lab.eventsOf("abroad").some((e) => e.startsWith("Warning OwnerRefInvalidNamespace"))).toBe(true);
    expect(lab.problems).toEqual([]);
  });
});

describe("A namespace", () => {
  it("has its ServiceAccount and CA certificate, and gets them back", () => {
    const lab = controlPlane();
    lab.clock.advance(50);
    expect(lab.store.get(configMaps, "lab", "kube-root-ca.crt")?.["data"]).toEqual({ "ca.crt": "PEM" });
    lab.api.delete({ ...serviceAccounts, namespace: "lab", name: "default" }, {}, asNobody);
    lab.clock.advance(50);
    expect(lab.store.get(serviceAccounts, "lab", "default")).toBeDefined();
  });

  it("goes with all it holds, Pods first, and at once when nothing holds it", () => {
    const lab = controlPlane();
    lab.addLab();
    lab.createPod("web");
    lab.clock.advance(200);
    lab.api.delete({ ...namespaces, name: "lab" }, {}, asNobody);
    lab.clock.advance(100);
    expect(lab.pod("web")).toBeUndefined();
    expect(lab.store.list(configMaps, "lab")).toEqual([]);
    expect(lab.store.get(namespaces, "", "lab")).toBeUndefined();
    expect(lab.problems).toEqual([]);
  });

  it("tells what keeps it", () => {
    const lab = controlPlane();
    lab.clock.advance(50);
    lab.create(configMaps, {
      kind: "ConfigMap",
      metadata: { name: "held", namespace: "lab", finalizers: ["example.com/hold"] },
    });
    lab.api.delete({ ...namespaces, name: "lab" }, {}, asNobody);
    lab.clock.advance(100);
    const status = lab.store.get(namespaces, "", "lab")?.["status"] as {
      conditions: { type: string; message: string }[];
    };
    const message = (type: string) => status.conditions.find((c) => c.type === type)?.message;
    expect(message("NamespaceContentRemaining")).toBe(
      "Some resources are remaining: configmaps. has 1 resource instances",
    );
    expect(message("NamespaceFinalizersRemaining")).toBe(
      "Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances",
    );
    lab.api.patch(
      { ...configMaps, namespace: "lab", name: "held" },
      "application/merge-patch+json",
      { metadata: { finalizers: null } },
      asNobody,
    );
    lab.clock.advance(100);
    expect(lab.store.get(namespaces, "", "lab")).toBeUndefined();
  });
});

describe("A Service's endpoints", () => {
  it("follow its ready Pods", () => {
    const lab = controlPlane();
    lab.addLab();
    const metadata = { name: "web", namespace: "lab", labels: { team: "a" } };
    const spec = {
      selector: { app: "web" },
      clusterIP: "10.96.0.10",
      ports: [{ port: 80, targetPort: "http", protocol: "TCP" }],
    };
    lab.create(services, { kind: "Service", metadata, spec });
    const ports = [{ name: "http", containerPort: 8080 }];
    lab.createPod("web-1", { containers: [{ name: "web", image: "web:1", ports }] }, { labels: { app: "web" } });
    lab.clock.advance(300);
    const ip = lab.pod("web-1")?.status?.podIP;
    const subsets = lab.store.get(endpoints, "lab", "web")?.["subsets"] as {
      addresses: { ip: string }[];
      ports: object[];
    }[];
    expect(subsets[0]?.addresses.map((a) => a.ip)).toEqual([ip]);
    expect(subsets[0]?.ports).toEqual([{ port: 8080, protocol: "TCP" }]);
    const [slice, ...more] = lab.store.list(endpointSlices, "lab");
    expect(more).toEqual([]);
    expect(slice?.metadata.labels).toEqual({
      team: "a",
      "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
      "kubernetes.io/service-name": "web",
    });
    expect(slice?.["endpoints"]).toMatchObject([
      { addresses: [ip], conditions: { ready: true, serving: true, terminating: false } },
    ]);
    lab.deletePod("web-1");
    lab.clock.advance(300);
    expect(lab.store.list(endpointSlices, "lab")[0]?.["endpoints"]).toEqual([]);
    expect(lab.problems).toEqual([]);
  });
});
