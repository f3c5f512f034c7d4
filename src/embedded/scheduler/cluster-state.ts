import { equal } from "../api/object.ts";
import { isPodTerminal, type Node, type Pod } from "../api/pod.ts";
import { objectKey } from "../controllers/framework/controller.ts";
import { namespaces } from "../controllers/framework/resources.ts";
import type { Store } from "../store/store.ts";
import { NodeInfo, PodInfo, Snapshot } from "./node-info.ts";

/** Nodes and the Pods bound to them, kept up to date by events: what a scheduling attempt looks at. */
export class ClusterState {
  private readonly nodes = new Map<string, NodeInfo>();
  private readonly placed = new Map<string, string>();
  private readonly nominations = new Map<string, PodInfo>();

  constructor(private readonly store: Store) {}

  snapshot(): Snapshot {
    return new Snapshot(this.nodes, undefined, (name) => this.store.get(namespaces, "", name)?.metadata.labels ?? {});
  }

  /** Notes a node; true when something that matters to scheduling changed. */
  setNode(node: Node, previous: Node | undefined): boolean {
    const info = this.info(node.metadata.name!);
    if (previous === undefined || !equal(previous.status?.allocatable, node.status?.allocatable)) info.node = node;
    else info.keep(node);
    return (
      previous === undefined ||
      !equal(previous.spec, node.spec) ||
      !equal(previous.metadata.labels, node.metadata.labels) ||
      !equal(previous.status?.allocatable, node.status?.allocatable)
    );
  }

  removeNode(name: string): void {
    const info = this.nodes.get(name);
    if (info === undefined) return;
    info.node = undefined;
    if (info.pods.size === 0) this.nodes.delete(name);
  }

  /** Notes a bound Pod; one that has ended takes nothing any more. True when its place became free. */
  setPod(pod: Pod): boolean {
    const key = objectKey(pod);
    this.nominations.delete(key);
    if (isPodTerminal(pod)) return this.removePod(key);
    this.placed.set(key, pod.spec!.nodeName!);
    const info = this.info(pod.spec!.nodeName!);
    const known = info.pods.get(key);
    if (known && equal(known.pod.spec, pod.spec) && equal(known.pod.metadata.labels, pod.metadata.labels))
      known.renew(pod);
    else info.add(new PodInfo(pod));
    return false;
  }

  removePod(key: string): boolean {
    this.nominations.delete(key);
    const name = this.placed.get(key);
    if (name === undefined) return false;
    this.placed.delete(key);
    const info = this.nodes.get(name);
    info?.remove(key);
    if (info && !info.node && info.pods.size === 0) this.nodes.delete(name);
    return true;
  }

  /** Notes that a waiting Pod was promised room on a node. */
  nominate(pod: Pod): void {
    if (pod.status?.nominatedNodeName) this.nominations.set(objectKey(pod), new PodInfo(pod));
    else this.nominations.delete(objectKey(pod));
  }

  /** Pods of at least this priority that were promised room on a node. */
  nominated(node: string, priority: number): PodInfo[] {
    if (this.nominations.size === 0) return [];
    return [...this.nominations.values()].filter(
      (p) => p.pod.status?.nominatedNodeName === node && p.priority >= priority,
    );
  }

  private info(name: string): NodeInfo {
    let info = this.nodes.get(name);
    if (info === undefined) {
      info = new NodeInfo(name);
      this.nodes.set(name, info);
    }
    return info;
  }
}
