import type { V1PodAffinityTerm, V1WeightedPodAffinityTerm } from "@kubernetes/client-node";
import type { Wire } from "../api/object.ts";
import type { Node, Pod } from "../api/pod.ts";
import { objectKey } from "../controllers/framework/controller.ts";
import { addResources, hostPorts, podRequests, type Resources, readResources } from "./pod-resources.ts";

export type AffinityTerm = Wire<V1PodAffinityTerm>;
export type WeightedAffinityTerm = Wire<V1WeightedPodAffinityTerm>;

/** A Pod with what the scheduler asks of it again and again, worked out once. */
export class PodInfo {
  readonly key: string;
  readonly requests: Resources;
  readonly ports: string[];
  readonly affinity: AffinityTerm[];
  readonly antiAffinity: AffinityTerm[];
  readonly preferred: { term: AffinityTerm; weight: number }[];
  readonly controller: string | undefined;

  private latest: Pod;

  constructor(pod: Pod) {
    this.latest = pod;
    this.key = objectKey(pod);
    this.requests = podRequests(pod.spec!);
    this.ports = hostPorts(pod.spec!);
    const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
    this.affinity = podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    this.antiAffinity = podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const weighted = (terms: WeightedAffinityTerm[] | undefined, sign: number) =>
      (terms ?? []).map((t) => ({ term: t.podAffinityTerm, weight: sign * t.weight }));
    this.preferred = [
      ...weighted(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution, 1),
      ...weighted(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution, -1),
    ];
    this.controller = pod.metadata.ownerReferences?.find((o) => o.controller)?.uid;
  }

  get pod(): Pod {
    return this.latest;
  }

  /** Takes a newer state of the Pod with the same spec and labels. */
  renew(pod: Pod): void {
    this.latest = pod;
  }

  get priority(): number {
    return this.pod.spec?.priority ?? 0;
  }
}

/** A node and the Pods on it, with their sums kept as Pods come and go. */
export class NodeInfo {
  readonly pods = new Map<string, PodInfo>();
  readonly requested: Resources = {};
  /** What the node offers to Pods. */
  allocatable: Resources = {};
  private readonly ports = new Map<string, number>();
  /** How many Pods have affinity or anti-affinity of their own. */
  withAffinity = 0;
  withAntiAffinity = 0;
  private current: Node | undefined;

  constructor(readonly name: string) {}

  get node(): Node | undefined {
    return this.current;
  }

  set node(node: Node | undefined) {
    this.current = node;
    this.allocatable = readResources(node?.status?.allocatable);
  }

  /** Takes a newer state of the node with the same allocatable amounts. */
  keep(node: Node): void {
    this.current = node;
  }

  add(pod: PodInfo): void {
    this.remove(pod.key);
    this.pods.set(pod.key, pod);
    this.count(pod, 1);
  }

  remove(key: string): void {
    const pod = this.pods.get(key);
    if (pod === undefined) return;
    this.pods.delete(key);
    this.count(pod, -1);
  }

  /** Whether a host port is taken; an unspecified address clashes with every other one. */
  portTaken(port: string): boolean {
    if (this.ports.size === 0) return false;
    const [address, protocol, number] = port.split("/");
    for (const used of this.ports.keys()) {
      const [usedAddress, usedProtocol, usedNumber] = used.split("/");
      if (usedProtocol !== protocol || usedNumber !== number) continue;
      if (usedAddress === address || usedAddress === "0.0.0.0" || address === "0.0.0.0") return true;
    }
    return false;
  }

  /** A copy to try things on. */
  clone(): NodeInfo {
    const other = new NodeInfo(this.name);
    other.node = this.node;
    for (const pod of this.pods.values()) other.add(pod);
    return other;
  }

  private count(pod: PodInfo, sign: number): void {
    addResources(this.requested, pod.requests, sign);
    for (const port of pod.ports) {
      const uses = (this.ports.get(port) ?? 0) + sign;
      if (uses > 0) this.ports.set(port, uses);
      else this.ports.delete(port);
    }
    if (pod.affinity.length + pod.preferred.length > 0) this.withAffinity += sign;
    if (pod.antiAffinity.length > 0) this.withAntiAffinity += sign;
  }
}

/** The nodes as one scheduling attempt sees them; `replacement` stands for the node of its name in a trial. */
export class Snapshot {
  constructor(
    private readonly nodes: ReadonlyMap<string, NodeInfo>,
    private readonly replacement?: NodeInfo,
    readonly namespaceLabels: (namespace: string) => Record<string, string> = () => ({}),
  ) {}

  get(name: string): NodeInfo | undefined {
    return this.replacement?.name === name ? this.replacement : this.nodes.get(name);
  }

  /** Nodes that exist (Pods may be bound to one that does not). */
  all(): NodeInfo[] {
    const found: NodeInfo[] = [];
    for (const [name, info] of this.nodes) {
      const current = this.replacement?.name === name ? this.replacement : info;
      if (current.node) found.push(current);
    }
    return found;
  }

  with(replacement: NodeInfo): Snapshot {
    return new Snapshot(this.nodes, replacement, this.namespaceLabels);
  }
}
