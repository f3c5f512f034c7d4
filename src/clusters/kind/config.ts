import { dump } from "js-yaml";
import type { ClusterShape } from "../provider.ts";

export const KIND_CLUSTER = "k8s-practice";
export const KIND_CONTEXT = `kind-${KIND_CLUSTER}`;
/** A label of every node of a cluster of ours; its value is the cluster's id. */
export const CLUSTER_ID_LABEL = "k8s-practice.io/cluster-id";

const POLICY_IN_NODE = "/etc/kubernetes/k8s-practice/audit-policy.yaml";
export const AUDIT_IN_NODE = "/var/log/kubernetes/audit";

export interface KindConfigOptions {
  shape: ClusterShape;
  clusterId: string;
  /** Host path of the audit policy file. */
  auditPolicy: string;
  /** Host folder of a control-plane node's audit log. */
  auditFolder(node: string): string;
}

/** Names of a shape's nodes as kind gives them, `k8s-practice-control-plane`, `k8s-practice-worker2`. */
export function nodeNames({ controlPlanes, workers }: Pick<ClusterShape, "controlPlanes" | "workers">): string[] {
  const names = (role: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${KIND_CLUSTER}-${role}${index === 0 ? "" : index + 1}`);
  return [...names("control-plane", controlPlanes), ...names("worker", workers)];
}

/**
 * kind's configuration (https://kind.sigs.k8s.io/docs/user/configuration/): the shape's nodes, and an API server that
 * writes an audit log into a folder of the host. No port is mapped but the API server's own.
 */
export function kindConfig({ shape, clusterId, auditPolicy, auditFolder }: KindConfigOptions): string {
  const nodes = nodeNames(shape).map((name) => {
    const isControlPlane = name.includes("-control-plane");
    const labels = shape.nodes?.[isControlPlane ? "controlPlane" : "worker"]?.labels;
    const node = {
      role: isControlPlane ? "control-plane" : "worker",
      labels: { ...labels, [CLUSTER_ID_LABEL]: clusterId },
    };
    if (!isControlPlane) return node;
    const extraMounts = [
      { hostPath: auditPolicy, containerPath: POLICY_IN_NODE, readOnly: true },
      { hostPath: auditFolder(name), containerPath: AUDIT_IN_NODE },
    ];
    return { ...node, extraMounts };
  });
  return dump(
    {
      kind: "Cluster",
      apiVersion: "kind.x-k8s.io/v1alpha4",
      name: KIND_CLUSTER,
      nodes,
      kubeadmConfigPatches: auditPatches(),
    },
    { lineWidth: -1 },
  );
}

/**
 * kubeadm's v1beta3 has `extraArgs` as a map, v1beta4 as a list; kind uses the first for Kubernetes below 1.36 and the
 * second from there on, and applies a patch only to a configuration of its apiVersion.
 */
function auditPatches(): string[] {
  const args = {
    "audit-policy-file": POLICY_IN_NODE,
    "audit-log-path": `${AUDIT_IN_NODE}/audit.log`,
    // MiB a file, and rotated files kept.
    "audit-log-maxsize": "20",
    "audit-log-maxbackup": "5",
  };
  const extraVolumes = [
    {
      name: "k8s-practice-audit-policy",
      hostPath: POLICY_IN_NODE,
      mountPath: POLICY_IN_NODE,
      readOnly: true,
      pathType: "File",
    },
    {
      name: "k8s-practice-audit-log",
      hostPath: AUDIT_IN_NODE,
      mountPath: AUDIT_IN_NODE,
      readOnly: false,
      pathType: "DirectoryOrCreate",
    },
  ];
  const patch = (apiVersion: string, extraArgs: unknown) =>
    dump({ kind: "ClusterConfiguration", apiVersion, apiServer: { extraArgs, extraVolumes } }, { lineWidth: -1 });
  return [
    patch("kubeadm.k8s.io/v1beta3", args),
    patch(
      "kubeadm.k8s.io/v1beta4",
      Object.entries(args).map(([name, value]) => ({ name, value })),
    ),
  ];
}

/**
 * What the API server logs: the bodies of changes that people make. Reads, the control plane's and the nodes' own
 * requests, and bodies that hold secrets are left out, so that the log stays small
 * (https://kubernetes.io/docs/tasks/debug/debug-cluster/audit/).
 */
export function auditPolicy(): string {
  return dump(
    {
      apiVersion: "audit.k8s.io/v1",
      kind: "Policy",
      omitStages: ["RequestReceived", "ResponseStarted"],
      rules: [
        { level: "None", userGroups: ["system:nodes"] },
        {
          level: "None",
          users: [
            "system:apiserver",
            "system:kube-controller-manager",
            "system:kube-scheduler",
            "system:kube-proxy",
            "system:volume-scheduler",
          ],
        },
        { level: "None", userGroups: ["system:serviceaccounts"] },
        { level: "None", nonResourceURLs: ["/*"] },
        { level: "None", resources: [{ group: "coordination.k8s.io", resources: ["leases"] }] },
        {
          level: "None",
          resources: [
            { group: "", resources: ["events"] },
            { group: "events.k8s.io", resources: ["events"] },
          ],
        },
        {
          level: "Metadata",
          resources: [
            { group: "", resources: ["secrets", "serviceaccounts/token"] },
            { group: "authentication.k8s.io", resources: ["tokenreviews"] },
          ],
        },
        { level: "Metadata", verbs: ["get", "list", "watch"] },
        { level: "Request" },
      ],
    },
    { lineWidth: -1 },
  );
}
