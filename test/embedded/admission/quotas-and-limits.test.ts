import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../src/embedded/api/object.ts";
import type { Pod } from "../../../src/embedded/api/pod.ts";
import { workloadLab } from "../fixture/workload-lab.ts";

const quotas = { group: "", resource: "resourcequotas" };
const limitRanges = { group: "", resource: "limitranges" };
const pods = { group: "", resource: "pods" };
const services = { group: "", resource: "services" };
const claims = { group: "", resource: "persistentvolumeclaims" };
const deployments = { group: "apps", resource: "deployments" };

interface Quota extends KubeObject {
  status: { hard: Record<string, string>; used: Record<string, string> };
}

function lab() {
  const world = workloadLab();
  const podBody = (name: string, resources: object = {}, spec: object = {}) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [{ name: "nginx", image: "nginx:1.27", resources }],
      ...spec,
    },
  });
  return {
    ...world,
    createQuota(hard: object, spec: object = {}): void {
      world.make(quotas, {
        apiVersion: "v1",
        kind: "ResourceQuota",
        metadata: { name: "team" },
        spec: { hard, ...spec },
      });
      world.clock.advance(10);
    },
    createLimits(...limits: object[]): void {
      world.make(limitRanges, { apiVersion: "v1", kind: "LimitRange", metadata: { name: "sizes" }, spec: { limits } });
    },
    run: (name: string, resources: object = {}, spec: object = {}) => world.make(pods, podBody(name, resources, spec)),
    used: () => world.get<Quota>(quotas, "team")!.status.used,
  };
}

describe("A ResourceQuota", () => {
  it("counts what there is, charges what comes and gives back what goes", () => {
    const team = lab();
    team.run("before", { requests: { cpu: "100m", memory: "64Mi" }, limits: { cpu: "1" } });
    team.createQuota({ pods: "3", "requests.cpu": "1", memory: "1Gi", "limits.cpu": "4", "count/configmaps": "9" });
    expect(team.get<Quota>(quotas, "team")!.status).toEqual({
      hard: { pods: "3", "requests.cpu": "1", memory: "1Gi", "limits.cpu": "4", "count/configmaps": "9" },
      used: { pods: "1", "requests.cpu": "100m", memory: "64Mi", "limits.cpu": "1", "count/configmaps": "1" },
    });
    team.run("next", { requests: { cpu: "400m", memory: "64Mi" }, limits: { cpu: "1" } });
    expect(team.used()).toMatchObject({ pods: "2", "requests.cpu": "500m", memory: "128Mi", "limits.cpu": "2" });
    team.delete(pods, "before");
    team.pass(5);
    expect(team.used()).toMatchObject({ pods: "1", "requests.cpu": "400m" });
    expect(team.problems).toEqual([]);
    team.shutDown();
  });

  it("refuses what is too much, and Pods that do not say what they need", () => {
    const team = lab();
    team.createQuota({ pods: "2", "requests.cpu": "500m", "limits.memory": "1Gi" });
    expect(() => team.run("web")).toThrow(
      'pods "web" is forbidden: failed quota: team: must specify limits.memory for: nginx; requests.cpu for: nginx',
    );
    const resources = { requests: { cpu: "400m" }, limits: { memory: "200Mi" } };
    team.run("web", resources);
    expect(() => team.run("more", resources)).toThrow(
      'pods "more" is forbidden: exceeded quota: team, requested: requests.cpu=400m, used: requests.cpu=400m, limited: requests.cpu=500m',
    );
    team.shutDown();
  });

  it("keeps a Deployment short of Pods, whose ReplicaSet says why", () => {
    const team = lab();
    team.createQuota({ pods: "1" });
    const labels = { app: "web" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "nginx", image: "nginx:1.27" }] } };
    team.make(deployments, {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web" },
      spec: { replicas: 2, selector: { matchLabels: labels }, template },
    });
    team.clock.advance(100);
    expect(team.podNames()).toHaveLength(1);
    const [set] = team.list({ group: "apps", resource: "replicasets" });
    expect(team.eventsOf(set!.metadata.name!).find((e) => e.includes("FailedCreate"))).toMatch(
      /Error creating: pods "web-\w+-\w{5}" is forbidden: exceeded quota: team, requested: pods=1, used: pods=1, limited: pods=1$/,
    );
    team.shutDown();
  });

  it("counts only Pods in its scopes", () => {
    const team = lab();
    team.createQuota({ pods: "1" }, { scopes: ["BestEffort"] });
    team.run("frugal");
    team.run("needy", { requests: { cpu: "100m" } });
    expect(team.used()).toEqual({ pods: "1" });
    expect(() => team.run("another")).toThrow("exceeded quota: team");
    team.shutDown();
  });

  it("counts node ports, storage by class, and objects of any kind", () => {
    const team = lab();
    team.createQuota({
      "services.nodeports": "1",
      "requests.storage": "5Gi",
      "standard.storageclass.storage.k8s.io/persistentvolumeclaims": "1",
      "count/deployments.apps": "0",
    });
    const service = (name: string) => ({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name },
      spec: { type: "NodePort", ports: [{ port: 80 }] },
    });
    team.make(services, service("one"));
    expect(() => team.make(services, service("two"))).toThrow(
      'services "two" is forbidden: exceeded quota: team, requested: services.nodeports=1, used: services.nodeports=1, limited: services.nodeports=1',
    );
    const claim = (name: string, storage: string, storageClassName?: string) => ({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name },
      spec: { accessModes: ["ReadWriteOnce"], storageClassName, resources: { requests: { storage } } },
    });
    expect(() => team.make(claims, claim("big", "6Gi"))).toThrow(
      "requested: requests.storage=6Gi, used: requests.storage=0",
    );
    team.make(claims, claim("first", "1Gi", "standard"));
    expect(() => team.make(claims, claim("second", "1Gi", "standard"))).toThrow("persistentvolumeclaims=1");
    team.shutDown();
  });
});

describe("A LimitRange", () => {
  it("gives containers what they do not ask for themselves", () => {
    const team = lab();
    team.createLimits({ type: "Container", default: { cpu: "500m" }, defaultRequest: { cpu: "100m", memory: "64Mi" } });
    const pod = team.run("web", { requests: { memory: "1Mi" } }) as Pod;
    expect(pod.spec?.containers[0]?.resources).toEqual({
      requests: { cpu: "100m", memory: "1Mi" },
      limits: { cpu: "500m" },
    });
    expect(pod.metadata.annotations?.["kubernetes.io/limit-ranger"]).toBe(
      "LimitRanger plugin set: cpu request for container nginx; cpu limit for container nginx",
    );
    team.shutDown();
  });

  it("refuses containers, Pods and claims out of range", () => {
    const team = lab();
    team.createLimits(
      { type: "Container", max: { cpu: "1" }, min: { memory: "10Mi" }, maxLimitRequestRatio: { cpu: "2" } },
      { type: "Pod", max: { memory: "100Mi" } },
      { type: "PersistentVolumeClaim", min: { storage: "1Gi" } },
    );
    const create = (requests: object, limits: object) => () => team.run("web", { requests, limits });
    expect(create({ cpu: "100m", memory: "5Mi" }, { cpu: "2", memory: "200Mi" })).toThrow(
      'pods "web" is forbidden: [minimum memory usage per Container is 10Mi, but request is 5Mi, maximum cpu usage per Container is 1, but limit is 2, cpu max limit to request ratio per Container is 2, but provided ratio is 20.000000, maximum memory usage per Pod is 100Mi, but limit is 200Mi]',
    );
    expect(create({ cpu: "500m", memory: "20Mi" }, { cpu: "1", memory: "20Mi" })).not.toThrow();
    const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Mi" } } };
    expect(() =>
      team.make(claims, { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "data" }, spec: claim }),
    ).toThrow(
      'persistentvolumeclaims "data" is forbidden: minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi',
    );
    team.shutDown();
  });
});
