import { rfc3339 } from "../../api/clock.ts";
import { isPodTerminal, type Node, type Pod } from "../../api/pod.ts";
import { observed, withCondition, writePodStatus } from "../../kubelet/pod-status.ts";
import { type Controller, type ControllerContext, objectKey, observe, splitKey } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { nodes, pods } from "../framework/resources.ts";
import { WorkQueue } from "../framework/work-queue.ts";

const byNode = "spec.nodeName";
/** How long a node has to be gone before its Pods are taken for orphans (quarantineTime). */
const quarantine = 40_000;
/** More ended Pods than this are too many (terminatedPodGCThreshold). */
const defaultThreshold = 12_500;

/**
 * Deletes Pods nobody else will: those bound to a node that is gone, those that were deleted before they were bound,
 * and the oldest ended ones when there are too many (https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-garbage-collection).
 */
export class PodGarbageCollector implements Controller {
  readonly name = "pod-garbage-collector";
  private readonly queue: WorkQueue;
  private readonly stops: (() => void)[] = [];
  private readonly missingSince = new Map<string, number>();
  private readonly ended = new Map<string, number>();

  constructor(
    private readonly context: ControllerContext,
    private readonly options: { quarantine?: number; threshold?: number } = {},
  ) {
    context.store.addIndex(pods, byNode, (pod) => [(pod as Pod).spec?.nodeName ?? ""]);
    this.queue = new WorkQueue(
      context.clock,
      (key) => this.sync(key),
      (key, error) => context.log(`pod garbage collector, ${key}: ${error}`),
    );
  }

  start(): void {
    const { store } = this.context;
    this.stops.push(
      observe(store, nodes, (object, _previous, deleted) => {
        const name = object.metadata.name!;
        if (!deleted) this.missingSince.delete(name);
        else for (const pod of store.byIndex(pods, byNode, name)) this.queue.add(objectKey(pod));
      }),
      observe(store, pods, (object, previous, deleted) => {
        const pod = object as Pod;
        const key = objectKey(pod);
        if (deleted) {
          this.ended.delete(key);
          return;
        }
        if (isPodTerminal(pod)) {
          this.ended.set(key, Date.parse(pod.metadata.creationTimestamp ?? "") || 0);
          if (this.ended.size > (this.options.threshold ?? defaultThreshold)) this.queue.add("ended");
        }
        const { nodeName } = pod.spec ?? {};
        const unbound = !nodeName && pod.metadata.deletionTimestamp;
        const orphan = nodeName && !(previous as Pod | undefined)?.spec?.nodeName && !store.get(nodes, "", nodeName);
        if (unbound || orphan) this.queue.add(key);
      }),
    );
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.queue.stop();
  }

  private sync(key: string): void {
    if (key === "ended") {
      this.trimEnded();
      return;
    }
    const { store, clock } = this.context;
    const { namespace, name } = splitKey(key);
    const pod = store.get(pods, namespace, name) as Pod | undefined;
    if (pod === undefined) return;
    const nodeName = pod.spec?.nodeName;
    if (!nodeName) {
      if (pod.metadata.deletionTimestamp) this.delete(pod);
      return;
    }
    if (store.get(nodes, "", nodeName) as Node | undefined) return;
    const since = this.missingSince.get(nodeName) ?? clock.now();
    this.missingSince.set(nodeName, since);
    const left = since + (this.options.quarantine ?? quarantine) - clock.now();
    if (left > 0) this.queue.addAfter(key, left);
    else this.deleteOrphan(pod);
  }

  private deleteOrphan(pod: Pod): void {
    const { api, as, clock } = this.context;
    const condition = {
      type: "DisruptionTarget",
      status: "True",
      reason: "DeletionByPodGC",
      message: "PodGC: node no longer exists",
      ...observed(pod),
    };
    const conditions = withCondition(pod.status?.conditions, condition, rfc3339(clock.now()));
    const phase = isPodTerminal(pod) ? pod.status!.phase : "Failed";
    writePodStatus(api, as, pod, { ...pod.status, phase, conditions });
    this.delete(pod);
  }

  private trimEnded(): void {
    const { store } = this.context;
    const excess = this.ended.size - (this.options.threshold ?? defaultThreshold);
    const oldest = [...this.ended].sort((a, b) => a[1] - b[1]).slice(0, Math.max(0, excess));
    for (const [key] of oldest) {
      const { namespace, name } = splitKey(key);
      const pod = store.get(pods, namespace, name) as Pod | undefined;
      if (pod) this.delete(pod);
    }
  }

  private delete(pod: Pod): void {
    const { api, as } = this.context;
    const { namespace, name, uid } = pod.metadata;
    const target = { ...pods, namespace: namespace!, name: name! };
    unless(["NotFound", "Conflict"], () =>
      api.delete(target, { gracePeriodSeconds: 0, preconditions: { uid: uid! } }, as),
    );
  }
}
