import { rfc3339 } from "../api/clock.ts";
import { equal, type KubeObject } from "../api/object.ts";
import { isPodTerminal, type Node, type Pod } from "../api/pod.ts";
import { type Controller, type ControllerContext, objectKey, observe } from "../controllers/framework/controller.ts";
import { unless } from "../controllers/framework/expected-errors.ts";
import {
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  podDisruptionBudgets,
  pods,
  storageClasses,
} from "../controllers/framework/resources.ts";
import { observed, withCondition, writePodStatus } from "../kubelet/pod-status.ts";
import { ClusterState } from "./cluster-state.ts";
import type { Failure } from "./filters/filter.ts";
import { type Claim, volumeFilter } from "./filters/volumes.ts";
import { filterFor, findNode } from "./find-node.ts";
import { fitMessage } from "./fit-message.ts";
import { PodInfo, type Snapshot } from "./node-info.ts";
import { type Candidate, type DisruptionBudget, findPreemption } from "./preemption/preemption.ts";
import { type ClusterEvent, SchedulingQueue } from "./scheduling-queue.ts";

const component = "default-scheduler";
/** A Pod that no event woke is tried again after this long (podMaxInUnschedulablePodsDuration). */
const maxUnschedulable = 5 * 60_000;
const flushInterval = 30_000;
/** How long one turn may take before requests are answered in between. */
const turn = 10;

/**
 * The default scheduler: binds Pods to nodes, one at a time, and tells of those it cannot place. Nothing is polled:
 * a Pod without a node waits for an event that can help it
 * (https://kubernetes.io/docs/concepts/scheduling-eviction/scheduling-framework/).
 */
export class Scheduler implements Controller {
  readonly name = component;
  private readonly queue = new SchedulingQueue();
  private readonly state: ClusterState;
  private readonly stops: (() => void)[] = [];
  private scheduled: (() => void) | undefined;
  private nextStart = 0;

  constructor(private readonly context: ControllerContext) {
    this.state = new ClusterState(context.store);
  }

  start(): void {
    const { store, clock } = this.context;
    this.stops.push(
      observe(store, nodes, (object, previous, deleted) => this.onNode(object as Node, previous as Node, deleted)),
      observe(store, pods, (object, previous, deleted) => this.onPod(object as Pod, previous as Pod, deleted)),
    );
    for (const resource of [persistentVolumeClaims, persistentVolumes, storageClasses]) {
      this.stops.push(store.watch(resource, () => this.wake("volume")));
    }
    const flush = () => {
      if (this.queue.wake("time", clock.now(), maxUnschedulable)) this.schedule();
      this.stops[0] = clock.after(flushInterval, flush);
    };
    this.stops.unshift(clock.after(flushInterval, flush));
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.scheduled?.();
  }

  private onNode(node: Node, previous: Node | undefined, deleted: boolean): void {
    if (deleted) this.state.removeNode(node.metadata.name!);
    else if (!this.state.setNode(node, previous)) return;
    this.wake("node");
  }

  private onPod(pod: Pod, previous: Pod | undefined, deleted: boolean): void {
    const key = objectKey(pod);
    if (deleted) {
      this.queue.remove(key);
      // Room that was promised to it is free again, too.
      this.state.removePod(key);
      this.wake("pod-gone");
    } else if (pod.spec?.nodeName) {
      this.queue.remove(key);
      const freed = this.state.setPod(pod);
      if (freed || shrank(pod, previous)) this.wake("pod-gone");
      else if (!previous?.spec?.nodeName) this.wake("pod-placed");
    } else this.onWaiting(pod, previous);
  }

  private onWaiting(pod: Pod, previous: Pod | undefined): void {
    const { spec, metadata } = pod;
    const key = objectKey(pod);
    this.state.nominate(pod);
    if (spec?.schedulerName !== component || metadata.deletionTimestamp || isPodTerminal(pod)) {
      this.queue.remove(key);
      return;
    }
    if (spec.schedulingGates?.length) return;
    const same = previous && equal(previous.spec, spec) && equal(previous.metadata.labels, metadata.labels);
    if (same && this.queue.refresh(pod)) return;
    // Its own status written during an attempt: the attempt parks it.
    if (same && this.attempting === key) return;
    this.queue.add(pod);
    this.schedule();
  }

  private attempting: string | undefined;

  private wake(event: ClusterEvent): void {
    if (this.queue.wake(event, this.context.clock.now())) this.schedule();
  }

  private schedule(): void {
    this.scheduled ??= this.context.clock.soon(() => this.work());
  }

  private work(): void {
    this.scheduled = undefined;
    const start = performance.now();
    while (performance.now() - start < turn) {
      const pod = this.queue.pop();
      if (pod === undefined) return;
      this.attempt(pod);
    }
    if (this.queue.length > 0) this.schedule();
  }

  private attempt(pod: Pod): void {
    const { store, clock, log } = this.context;
    const key = objectKey(pod);
    const latest = store.get(pods, pod.metadata.namespace!, pod.metadata.name!) as Pod | undefined;
    if (latest === undefined || latest.spec?.nodeName || latest.metadata.deletionTimestamp) return;
    this.attempting = key;
    let refusedBy: ReadonlySet<string> | undefined = new Set<string>();
    try {
      refusedBy = this.place(latest);
    } catch (error) {
      log(`scheduler, ${key}: ${error}`);
      this.stops.push(clock.after(1000, () => this.queue.wake("time", clock.now()) && this.schedule()));
    } finally {
      this.attempting = undefined;
    }
    const after = store.get(pods, pod.metadata.namespace!, pod.metadata.name!) as Pod | undefined;
    if (refusedBy === undefined || after === undefined || after.spec?.nodeName || after.metadata.deletionTimestamp)
      return;
    this.queue.park(after, refusedBy, clock.now());
  }

  /** Binds the Pod, or says why not; returns the plugins that refused it, undefined once it is bound. */
  private place(pod: Pod): ReadonlySet<string> | undefined {
    const { store } = this.context;
    const incoming = new PodInfo(pod);
    const snapshot = this.state.snapshot();
    const volumes = volumeFilter(pod, store);
    if (volumes.refused) {
      this.refuse(incoming, snapshot, new Map(), volumes.refused.reason, undefined);
      return new Set(["VolumeBinding"]);
    }
    const options = {
      ...(volumes.filter === undefined ? {} : { volumes: volumes.filter }),
      start: this.nextStart++,
      nominated: (node: string) => this.state.nominated(node, incoming.priority),
    };
    const search = findNode(incoming, snapshot, options);
    if ("failures" in search) {
      const trial = { ...options, nominated: () => [] };
      this.refuse(incoming, snapshot, search.failures, undefined, trial.volumes);
      return new Set([...search.failures.values()].map((f) => f.plugin));
    }
    if (volumes.unbound.length > 0) {
      this.selectNode(volumes.unbound, search.node.name);
      return new Set(["VolumeBinding"]);
    }
    this.bind(pod, search.node.name);
    return undefined;
  }

  private bind(pod: Pod, node: string): void {
    const { api, as, events } = this.context;
    const { namespace, name, uid } = pod.metadata;
    const binding = {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name, namespace, uid },
      target: { kind: "Node", name: node },
    };
    const target = { ...pods, namespace: namespace!, name: name!, subresource: "binding" };
    const bound = unless(["NotFound", "Conflict"], () => api.create(target, binding, as) ?? true);
    if (bound === undefined) return;
    const message = `Successfully assigned ${namespace}/${name} to ${node}`;
    events.record(pod, "Normal", "Scheduled", message, { component, action: "Binding" });
  }

  /** Tells the provisioner where the Pod will be; once the claims are bound, the Pod is tried again. */
  private selectNode(claims: readonly Claim[], node: string): void {
    const { api, as } = this.context;
    for (const claim of claims) {
      const annotation = "volume.kubernetes.io/selected-node";
      if (claim.metadata.annotations?.[annotation] === node) continue;
      const target = { ...persistentVolumeClaims, namespace: claim.metadata.namespace!, name: claim.metadata.name! };
      const change = { metadata: { annotations: { [annotation]: node } } };
      unless(["NotFound"], () => api.patch(target, "application/merge-patch+json", change, as));
    }
  }

  private refuse(
    incoming: PodInfo,
    snapshot: Snapshot,
    failures: Map<string, Failure>,
    refused: string | undefined,
    volumes: ReturnType<typeof volumeFilter>["filter"],
  ): void {
    const { store, events, api, as, clock } = this.context;
    const { pod } = incoming;
    const count = snapshot.all().length;
    let message = fitMessage(count, failures.values(), refused);
    let nominatedNodeName = pod.status?.nominatedNodeName;
    if (count > 0) {
      const budgets = store.list(podDisruptionBudgets) as unknown as readonly DisruptionBudget[];
      const result = findPreemption(
        incoming,
        snapshot,
        failures,
        budgets,
        (trial, others) => filterFor(incoming, others, volumes)(trial) === undefined,
      );
      if ("candidate" in result) {
        this.evict(pod, result.candidate);
        nominatedNodeName = result.candidate.node;
      } else message += ` no new claims to deallocate, ${result.message}`;
    }
    events.record(pod, "Warning", "FailedScheduling", message, { component, action: "Scheduling" });
    const latest = store.get(pods, pod.metadata.namespace!, pod.metadata.name!) as Pod | undefined;
    if (latest === undefined) return;
    const condition = {
      type: "PodScheduled",
      status: "False",
      reason: "Unschedulable",
      message,
      ...observed(pod),
    };
    const conditions = withCondition(latest.status?.conditions, condition, rfc3339(clock.now()));
    writePodStatus(api, as, latest, {
      ...latest.status,
      conditions,
      ...(nominatedNodeName === undefined ? {} : { nominatedNodeName }),
    });
  }

  private evict(pod: Pod, candidate: Candidate): void {
    const { api, as, events, clock, store } = this.context;
    for (const victim of candidate.victims) {
      const { namespace, name, uid } = victim.pod.metadata;
      const latest = store.get(pods, namespace!, name!) as Pod | undefined;
      if (latest === undefined || latest.metadata.uid !== uid || latest.metadata.deletionTimestamp) continue;
      const condition = {
        type: "DisruptionTarget",
        status: "True",
        reason: "PreemptionByScheduler",
        message: `${component}: preempting to accommodate a higher priority pod`,
        ...observed(latest),
      };
      const conditions = withCondition(latest.status?.conditions, condition, rfc3339(clock.now()));
      writePodStatus(api, as, latest, { ...latest.status, conditions });
      unless(["NotFound"], () => api.delete({ ...pods, namespace: namespace!, name: name! }, {}, as));
      const message = `Preempted by pod ${pod.metadata.uid} on node ${candidate.node}`;
      events.record(latest, "Normal", "Preempted", message, { component, action: "Preempting", related: pod });
    }
  }
}

/** Whether a bound Pod asks for less than before (resized in place) or begins to leave. */
function shrank(pod: Pod, previous: KubeObject | undefined): boolean {
  return previous !== undefined && pod.spec !== previous["spec"] && !equal(pod.spec, previous["spec"]);
}
