import type { Pod } from "../api/pod.ts";
import { objectKey } from "../controllers/framework/controller.ts";

interface Waiting {
  pod: Pod;
  since: number;
  /** Plugins that refused the Pod at its last attempt; undefined for an attempt that met an error. */
  refusedBy: ReadonlySet<string>;
}

/** What happened in the cluster, as far as it may let an unschedulable Pod in. */
export type ClusterEvent = "node" | "pod-gone" | "pod-placed" | "volume" | "time";

/** Which events can change the mind of which plugin (the plugins' EventsToRegister). */
const helpedBy: Record<string, readonly ClusterEvent[]> = {
  NodeUnschedulable: ["node"],
  NodeName: ["node"],
  TaintToleration: ["node"],
  NodeAffinity: ["node"],
  NodePorts: ["node", "pod-gone"],
  NodeResourcesFit: ["node", "pod-gone"],
  VolumeBinding: ["node", "volume"],
  PodTopologySpread: ["node", "pod-gone", "pod-placed"],
  InterPodAffinity: ["node", "pod-gone", "pod-placed"],
};

/** Pods to be scheduled: the active ones by priority and age, and those for which no node was found. */
export class SchedulingQueue {
  private readonly active = new Map<string, { pod: Pod; order: number }>();
  private readonly unschedulable = new Map<string, Waiting>();
  private sorted: string[] | undefined;
  private sequence = 0;

  get length(): number {
    return this.active.size;
  }

  get waiting(): number {
    return this.unschedulable.size;
  }

  add(pod: Pod): void {
    const key = objectKey(pod);
    this.unschedulable.delete(key);
    const before = this.active.get(key);
    this.active.set(key, { pod, order: before?.order ?? this.sequence++ });
    if (before === undefined) this.sorted = undefined;
  }

  remove(key: string): void {
    this.active.delete(key);
    this.unschedulable.delete(key);
  }

  /** Keeps the newer state of a Pod that waits, without giving it another try. */
  refresh(pod: Pod): boolean {
    const key = objectKey(pod);
    const active = this.active.get(key);
    const waiting = this.unschedulable.get(key);
    if (active) active.pod = pod;
    if (waiting) waiting.pod = pod;
    return active !== undefined || waiting !== undefined;
  }

  /** The most important Pod; of equal priority the one that came first. */
  pop(): Pod | undefined {
    this.sorted ??= [...this.active]
      .sort(([, a], [, b]) => priority(b.pod) - priority(a.pod) || a.order - b.order)
      .map(([key]) => key)
      .reverse();
    for (;;) {
      const key = this.sorted.pop();
      if (key === undefined) {
        this.sorted = undefined;
        return undefined;
      }
      const entry = this.active.get(key);
      if (entry === undefined) continue;
      this.active.delete(key);
      return entry.pod;
    }
  }

  park(pod: Pod, refusedBy: ReadonlySet<string>, now: number): void {
    this.unschedulable.set(objectKey(pod), { pod, since: now, refusedBy });
  }

  /** Gives those Pods another try for which the event may make a difference; true when there were any. */
  wake(event: ClusterEvent, now = 0, olderThan = 0): boolean {
    let any = false;
    for (const { pod, since, refusedBy } of [...this.unschedulable.values()]) {
      const helps =
        event === "time"
          ? now - since >= olderThan
          : refusedBy.size === 0 || [...refusedBy].some((plugin) => (helpedBy[plugin] ?? [event]).includes(event));
      if (!helps) continue;
      this.add(pod);
      any = true;
    }
    return any;
  }
}

function priority(pod: Pod): number {
  return pod.spec?.priority ?? 0;
}
