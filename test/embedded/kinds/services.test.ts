import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../src/embedded/api/object.ts";
import { cluster, create, refusals, row, strategyOf, update } from "./server.ts";

const services = strategyOf("services");

const web = (fields = "") => `
metadata: {name: web, creationTimestamp: "2026-01-01T11:59:00Z"}
spec: {selector: {app: web}, ports: [{port: 80}]${fields}}
`;

type Spec = Record<string, unknown> & { ports: { nodePort?: number }[]; clusterIP?: string };
const spec = (made: KubeObject) => made["spec"] as Spec;

describe("A Service", () => {
  it("gets an address of its own and the defaults", () => {
    const made = create(services, web());
    expect(made["spec"]).toMatchObject({
      type: "ClusterIP",
      sessionAffinity: "None",
      internalTrafficPolicy: "Cluster",
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
      ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
    });
    expect(spec(made).clusterIP).toMatch(/^10\.96\.\d+\.\d+$/);
    expect(spec(made)["clusterIPs"]).toEqual([spec(made).clusterIP]);
    expect(made["status"]).toEqual({ loadBalancer: {} });
    expect(refusals(services, web())).toEqual([]);
  });

  it("shares neither address nor node port with another", () => {
    const one = create(services, web(", type: NodePort"));
    one.metadata.name = "other";
    const two = create(services, web(", type: NodePort"), cluster({ "/services": [one] }));
    expect(spec(two).clusterIP).not.toBe(spec(one).clusterIP);
    expect(spec(two).ports[0]?.nodePort).not.toBe(spec(one).ports[0]?.nodePort);
    expect(spec(two).ports[0]?.nodePort).toBeGreaterThanOrEqual(30_086);
  });

  it("without an address is headless", () => {
    expect(create(services, web(", clusterIP: None"))["spec"]).toMatchObject({
      clusterIP: "None",
      clusterIPs: ["None"],
    });
  });

  it.each([
    [
      ", type: Nope",
      'spec.type: Unsupported value: "Nope": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ],
    [
      ", clusterIP: 10.0.0.1",
      'spec.clusterIPs: Invalid value: ["10.0.0.1"]: failed to allocate IP 10.0.0.1: the provided IP (10.0.0.1) is not in the valid range. The range of valid IPs is 10.96.0.0/16',
    ],
    [
      ", externalTrafficPolicy: Local",
      'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
    ],
  ])("with %s is refused", (fields, message) => {
    expect(refusals(services, web(fields))).toEqual([message]);
  });

  it("names its ports when it has several", () => {
    const yaml = "spec: {ports: [{port: 80}, {port: 81}]}";
    expect(refusals(services, yaml)).toEqual([
      "spec.ports[0].name: Required value",
      "spec.ports[1].name: Required value",
    ]);
  });

  it("is refused a node port out of range", () => {
    const yaml = "spec: {type: NodePort, ports: [{port: 80, nodePort: 80}]}";
    expect(refusals(services, yaml)).toEqual([
      "spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767",
    ]);
  });

  it("keeps its address when replaced by its manifest, and gets node ports with its new type", () => {
    const old = create(services, web());
    const { object, refusals: found } = update(services, old, (s) => {
      s["spec"] = { type: "NodePort", selector: { app: "web" }, ports: [{ port: 80 }] };
    });
    expect(found).toEqual([]);
    expect(spec(object).clusterIP).toBe(spec(old).clusterIP);
    expect(spec(object).ports[0]?.nodePort).toBeGreaterThan(30_000);
  });

  it("may not change its address", () => {
    const { refusals: found } = update(services, create(services, web()), (s) => {
      Object.assign(spec(s), { clusterIP: "10.96.9.9", clusterIPs: ["10.96.9.9"] });
    });
    expect(found).toEqual(['spec.clusterIPs[0]: Invalid value: ["10.96.9.9"]: may not change once set']);
  });

  it("is a row of the Table", () => {
    const made = create(services, web(", type: LoadBalancer"));
    const [name, type, , external, ports, age, selector] = row(services, made);
    expect([name, type, external, age, selector]).toEqual(["web", "LoadBalancer", "<pending>", "60s", "app=web"]);
    expect(ports).toMatch(/^80:3\d{4}\/TCP$/);
  });
});

describe("Endpoints", () => {
  it("show three addresses and how many more", () => {
    const endpoints = strategyOf("endpoints");
    const made = create(
      endpoints,
      "subsets: [{ports: [{port: 80}], addresses: [{ip: 1.1.1.1}, {ip: 1.1.1.2}, {ip: 1.1.1.3}, {ip: 1.1.1.4}]}]",
    );
    expect(row(endpoints, made)[1]).toBe("1.1.1.1:80,1.1.1.2:80,1.1.1.3:80 + 1 more...");
  });
});
