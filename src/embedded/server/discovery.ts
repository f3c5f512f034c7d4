import type { ResourceInfo } from "../api/resource.ts";
import type { ResourceIndex } from "./resource-index.ts";

/** Groups in the order a kube-apiserver lists them; others follow by name. */
const groupOrder = [
  "apiregistration.k8s.io",
  "apps",
  "events.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "autoscaling",
  "batch",
  "certificates.k8s.io",
  "networking.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  "storage.k8s.io",
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "scheduling.k8s.io",
  "coordination.k8s.io",
  "node.k8s.io",
  "discovery.k8s.io",
  "resource.k8s.io",
  "flowcontrol.apiserver.k8s.io",
];

interface Group {
  name: string;
  /** Preferred first. */
  versions: string[];
}

function groupsOf(resources: ResourceIndex): Group[] {
  const groups = new Map<string, Set<string>>();
  for (const { group, version } of resources.list()) {
    if (group !== "") groups.set(group, (groups.get(group) ?? new Set()).add(version));
  }
  const rank = (name: string) => (groupOrder.includes(name) ? groupOrder.indexOf(name) : groupOrder.length);
  return [...groups]
    .map(([name, versions]) => ({ name, versions: [...versions].sort(byPriority) }))
    .sort((a, b) => rank(a.name) - rank(b.name) || a.name.localeCompare(b.name));
}

/** v2 before v1 before v1beta1 before v1alpha1. */
export function byPriority(a: string, b: string): number {
  const parse = (version: string) => {
    const [, major = "0", stage = "", minor = "0"] = /^v(\d+)(alpha|beta)?(\d+)?$/.exec(version) ?? [];
    return { major: Number(major), stage: { "": 2, beta: 1, alpha: 0 }[stage] ?? -1, minor: Number(minor) };
  };
  const [x, y] = [parse(a), parse(b)];
  return y.stage - x.stage || y.major - x.major || y.minor - x.minor;
}

/** `/apis` as clients without aggregated discovery read it. */
export function apiGroupList(resources: ResourceIndex) {
  return { kind: "APIGroupList", apiVersion: "v1", groups: groupsOf(resources).map(describeGroup) };
}

/** `/apis/GROUP` */
export function apiGroup(resources: ResourceIndex, name: string) {
  const group = groupsOf(resources).find((candidate) => candidate.name === name);
  return group && { kind: "APIGroup", apiVersion: "v1", ...describeGroup(group) };
}

function describeGroup({ name, versions }: Group) {
  const entries = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: entries, preferredVersion: entries[0] };
}

/** `/api` */
export function apiVersions(address: string) {
  const serverAddressByClientCIDRs = [{ clientCIDR: "0.0.0.0/0", serverAddress: address }];
  return { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs };
}

/** `/api/v1` and `/apis/GROUP/VERSION` */
export function apiResourceList(resources: ResourceIndex, group: string, version: string) {
  const own = resources.list().filter((info) => info.group === group && info.version === version);
  if (own.length === 0) return undefined;
  return {
    kind: "APIResourceList",
    ...(group === "" ? {} : { apiVersion: "v1" }),
    groupVersion: group === "" ? version : `${group}/${version}`,
    resources: own.flatMap((info) => [describeResource(info), ...describeSubresources(info)]),
  };
}

function describeResource(info: ResourceInfo) {
  const { resource: name, singular: singularName, namespaced, kind, verbs, shortNames, categories } = info;
  return {
    name,
    singularName,
    namespaced,
    kind,
    verbs,
    ...(shortNames === undefined ? {} : { shortNames }),
    ...(categories === undefined ? {} : { categories }),
  };
}

function describeSubresources({ resource, namespaced, subresources = [] }: ResourceInfo) {
  return subresources.map(({ name, verbs, kind: [group, version, kind] }) => ({
    name: `${resource}/${name}`,
    singularName: "",
    namespaced,
    ...(group === "" && version === "" ? {} : { group, version }),
    kind,
    verbs,
  }));
}

/** The aggregated form of `/api` (core) and `/apis`: one document for all groups. */
export function aggregatedDiscovery(resources: ResourceIndex, core: boolean, version: string) {
  const groups = core ? [{ name: "", versions: ["v1"] }] : groupsOf(resources);
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map((group) => ({
      metadata: group.name === "" ? { creationTimestamp: null } : { name: group.name, creationTimestamp: null },
      versions: group.versions.map((v) => ({
        version: v,
        resources: resources
          .list()
          .filter((info) => info.group === group.name && info.version === v)
          .map(aggregatedResource),
        freshness: "Current",
      })),
    })),
  };
}

function aggregatedResource(info: ResourceInfo) {
  const { group, version, resource, kind, namespaced, singular, verbs, shortNames, categories, subresources } = info;
  return {
    resource,
    responseKind: { group, version, kind },
    scope: namespaced ? "Namespaced" : "Cluster",
    singularResource: singular,
    verbs,
    ...(shortNames === undefined ? {} : { shortNames }),
    ...(categories === undefined ? {} : { categories }),
    ...(subresources === undefined
      ? {}
      : {
          subresources: subresources.map(({ name, verbs: own, kind: [g, v, k] }) => ({
            subresource: name,
            responseKind: { group: g || group, version: v || version, kind: k },
            verbs: own,
          })),
        }),
  };
}
