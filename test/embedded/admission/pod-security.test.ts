import { describe, expect, it } from "vitest";
import type { RequestContext } from "../../../src/embedded/registry/api.ts";
import { asNobody, controlPlane } from "../fixture/control-plane.ts";

const pods = { group: "", resource: "pods" };
const deployments = { group: "apps", resource: "deployments" };
const namespaces = { group: "", resource: "namespaces" };

function lab(labels: Record<string, string>) {
  const plane = controlPlane();
  const warnings: string[] = [];
  const as: RequestContext = { ...asNobody, warnings };
  const label = (more: Record<string, string>) =>
    plane.api.patch(
      { ...namespaces, name: "lab" },
      "application/merge-patch+json",
      {
        metadata: {
          labels: Object.fromEntries(Object.entries(more).map(([k, v]) => [`pod-security.kubernetes.io/${k}`, v])),
        },
      },
      as,
    );
  label(labels);
  plane.clock.advance(10);
  return {
    ...plane,
    warnings,
    label,
    run: (securityContext: object | undefined, spec: object = {}) =>
      plane.api.create(
        { ...pods, namespace: "lab" },
        {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "nginx" },
          spec: { containers: [{ name: "nginx", image: "nginx", securityContext }], ...spec },
        },
        as,
      ),
  };
}

const secure = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  capabilities: { drop: ["ALL"] },
  seccompProfile: { type: "RuntimeDefault" },
};

describe("The Pod security of a namespace", () => {
  it("lets everything in where nothing is asked for", () => {
    const { run, warnings } = lab({});
    expect(() => run({ privileged: true })).not.toThrow();
    expect(warnings).toEqual([]);
  });

  it("of the restricted standard refuses a Pod that says nothing", () => {
    const { run } = lab({ enforce: "restricted" });
    expect(() => run(undefined)).toThrow(
      'pods "nginx" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "nginx" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "nginx" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "nginx" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "nginx" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    );
    expect(() => run(secure)).not.toThrow();
  });

  it.each([
    [{ privileged: true }, {}, 'privileged (container "nginx" must not set securityContext.privileged=true)'],
    [{}, { hostNetwork: true, hostPID: true }, "host namespaces (hostNetwork=true, hostPID=true)"],
    [{}, { volumes: [{ name: "root", hostPath: { path: "/" } }] }, 'hostPath volumes (volume "root")'],
    [
      { capabilities: { add: ["SYS_ADMIN", "NET_RAW"] } },
      {},
      'non-default capabilities (container "nginx" must not include "NET_RAW", "SYS_ADMIN" in securityContext.capabilities.add)',
    ],
    [
      {},
      { containers: [{ name: "nginx", image: "nginx", ports: [{ containerPort: 80, hostPort: 8080 }] }] },
      'hostPort (container "nginx" uses hostPort 8080)',
    ],
    [
      { seccompProfile: { type: "Unconfined" } },
      {},
      'seccompProfile (container "nginx" must not set securityContext.seccompProfile.type to "Unconfined")',
    ],
  ])("of the baseline standard refuses %o %o", (context, spec, why) => {
    const { run } = lab({ enforce: "baseline" });
    expect(() => run(context, spec)).toThrow(`violates PodSecurity "baseline:latest": ${why}`);
  });

  it("warns by itself where it enforces, and of templates before their Pods fail", () => {
    const { api, warnings } = lab({ enforce: "baseline", "enforce-version": "v1.30" });
    const labels = { app: "web" };
    const container = { name: "web", image: "nginx", securityContext: { privileged: true } };
    api.create(
      { ...deployments, namespace: "lab" },
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "web" },
        spec: {
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [container] } },
        },
      },
      { ...asNobody, warnings },
    );
    expect(warnings).toEqual([
      'would violate PodSecurity "baseline:v1.30": privileged (container "web" must not set securityContext.privileged=true)',
    ]);
  });

  it("tells which Pods a stricter standard would refuse", () => {
    const { run, label, warnings } = lab({});
    run({ privileged: true });
    label({ enforce: "baseline" });
    expect(warnings).toEqual([
      'existing pods in namespace "lab" violate the new PodSecurity enforce level "baseline:latest"',
      "nginx: privileged",
    ]);
  });

  it("has labels that mean something", () => {
    expect(() => lab({ enforce: "strict", "warn-version": "1.2" })).toThrow(
      'Namespace "lab" is invalid: [metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted, metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: "1.2": must be "latest" or "v1.x"]',
    );
  });
});
