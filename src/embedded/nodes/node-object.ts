import { createHash } from "node:crypto";
import { rfc3339 } from "../api/clock.ts";
import type { NodeShape } from "../api/node-shape.ts";
import type { NodeCondition } from "../api/pod.ts";

/** What kind gives a node that runs in a container, as its Node object tells it. */
export const kubeletVersion = "v1.36.2";

/** 172.18.0.2 is the first machine's address, as on kind's Docker network. */
export function machineAddress(index: number): string {
  const host = index + 2;
  return `172.18.${Math.floor(host / 256)}.${host % 256}`;
}

/** The machine number that an address stands for; undefined for any other address. */
export function machineIndex(address: string | undefined): number | undefined {
  const parts = /^172\.18\.([0-9]+)\.([0-9]+)$/.exec(address ?? "");
  return parts === null ? undefined : Number(parts[1]) * 256 + Number(parts[2]) - 2;
}

/** The Node object with which a kubelet registers its machine. */
export function nodeObject(shape: NodeShape, index: number, now: number) {
  const controlPlane = {
    "node-role.kubernetes.io/control-plane": "",
    "node.kubernetes.io/exclude-from-external-load-balancers": "",
  };
  const labels = {
    "beta.kubernetes.io/arch": "amd64",
    "beta.kubernetes.io/os": "linux",
    "kubernetes.io/arch": "amd64",
    "kubernetes.io/hostname": shape.name,
    "kubernetes.io/os": "linux",
    ...(shape.controlPlane ? controlPlane : {}),
    ...shape.labels,
  };
  const taints = [
    ...(shape.controlPlane ? [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }] : []),
    ...(shape.taints ?? []),
  ];
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: shape.name, labels, annotations: { "node.alpha.kubernetes.io/ttl": "0" } },
    spec: taints.length > 0 ? { taints } : {},
    status: nodeStatus(shape, index, now),
  };
}

/** status of a Node whose kubelet is well. */
export function nodeStatus(shape: NodeShape, index: number, now: number) {
  const resources = {
    cpu: shape.capacity?.cpu ?? "4",
    "ephemeral-storage": "101430960Ki",
    "hugepages-1Gi": "0",
    "hugepages-2Mi": "0",
    memory: shape.capacity?.memory ?? "8Gi",
    pods: shape.capacity?.pods ?? "110",
  };
  return {
    addresses: [
      { address: machineAddress(index), type: "InternalIP" },
      { address: shape.name, type: "Hostname" },
    ],
    allocatable: resources,
    capacity: resources,
    conditions: healthyConditions([], now),
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      architecture: "amd64",
      bootID: identity(shape.name, "boot"),
      containerRuntimeVersion: "containerd://2.2.0",
      kernelVersion: "6.8.0",
      kubeProxyVersion: "",
      kubeletVersion,
      machineID: identity(shape.name, "machine").replaceAll("-", ""),
      operatingSystem: "linux",
      osImage: "Debian GNU/Linux 12 (bookworm)",
      systemUUID: identity(shape.name, "system"),
    },
  };
}

const healthy: [type: string, status: string, reason: string, message: string][] = [
  ["MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"],
  ["DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"],
  ["PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"],
  ["Ready", "True", "KubeletReady", "kubelet is posting ready status"],
];

/** The conditions a kubelet posts; those of others (NetworkUnavailable, a task's own) are kept. */
export function healthyConditions(before: readonly NodeCondition[], now: number): NodeCondition[] {
  const time = rfc3339(now);
  const own = healthy.map(([type, status, reason, message]) => {
    const old = before.find((c) => c.type === type);
    const lastTransitionTime = old?.status === status ? old.lastTransitionTime : time;
    return { lastHeartbeatTime: time, lastTransitionTime, message, reason, status, type };
  });
  const types = new Set(healthy.map(([type]) => type));
  return [...before.filter((c) => !types.has(c.type)), ...own] as NodeCondition[];
}

/** A uuid that stays the same for a machine of that name. */
function identity(name: string, what: string): string {
  const hex = createHash("sha256").update(`${what}/${name}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
