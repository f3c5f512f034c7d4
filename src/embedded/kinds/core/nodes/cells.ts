import type { V1Node } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import type { Kind } from "../../define.ts";

type Node = Kind<V1Node>;

const rolePrefix = "node-role.kubernetes.io/";

export function cells(node: Node, now: number): unknown[] {
  const info = node.status?.nodeInfo;
  const kernel = info?.kernelVersion || "<unknown>";
  return [
    node.metadata.name,
    status(node),
    roles(node).join(",") || "<none>",
    ageSince(node.metadata.creationTimestamp, now),
    info?.kubeletVersion ?? "",
    address(node, "InternalIP"),
    address(node, "ExternalIP"),
    info?.osImage || "<unknown>",
    info?.architecture ? `${kernel} (${info.architecture})` : kernel,
    info?.containerRuntimeVersion || "<unknown>",
  ];
}

function status(node: Node): string {
  const ready = node.status?.conditions?.find((c) => c.type === "Ready");
  const words = [ready ? (ready.status === "True" ? "Ready" : "NotReady") : "Unknown"];
  if (node.spec?.unschedulable) words.push("SchedulingDisabled");
  return words.join(",");
}

function roles(node: Node): string[] {
  const found = new Set<string>();
  for (const [key, value] of Object.entries(node.metadata.labels ?? {})) {
    if (key.startsWith(rolePrefix) && key.length > rolePrefix.length) found.add(key.slice(rolePrefix.length));
    else if (key === "kubernetes.io/role" && value !== "") found.add(value);
  }
  return [...found].sort();
}

function address(node: Node, type: string): string {
  return node.status?.addresses?.find((a) => a.type === type)?.address ?? "<none>";
}
