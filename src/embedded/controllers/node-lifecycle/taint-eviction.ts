import { rfc3339 } from "../../api/clock.ts";
import { equal } from "../../api/object.ts";
import type { Node, Pod } from "../../api/pod.ts";
import { observed, withCondition, writePodStatus } from "../../kubelet/pod-status.ts";
import { type Controller, type ControllerContext, objectKey, observe, splitKey } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { nodes, pods } from "../framework/resources.ts";
import { WorkQueue } from "../framework/work-queue.ts";
import { toleratedSeconds } from "./tolerance.ts";

const byNode = "spec.nodeName";

/** Deletes Pods from nodes with NoExecute taints they do not tolerate, or no longer do. */
export class TaintEvictionController implements Controller {
  readonly name = "taint-eviction-controller";
  private readonly queue: WorkQueue;
  private readonly stops: (() => void)[] = [];
  /** When each Pod has to go, in milliseconds since the epoch. */
  private readonly due = new Map<string, number>();

  constructor(private readonly context: ControllerContext) {
    context.store.addIndex(pods, byNode, (pod) => [(pod as Pod).spec?.nodeName ?? ""]);
    this.queue = new WorkQueue(
      context.clock,
      (key) => this.sync(key),
      (key, error) => context.log(`taint eviction of ${key}: ${error}`),
    );
  }

  start(): void {
    const { store } = this.context;
    this.stops.push(
      observe(store, nodes, (object, previous, deleted) => {
        const node = object as Node;
        if (deleted || (previous && equal((previous as Node).spec?.taints, node.spec?.taints))) return;
        for (const pod of store.byIndex(pods, byNode, node.metadata.name!)) this.queue.add(objectKey(pod));
      }),
      observe(store, pods, (object, previous, deleted) => {
        const pod = object as Pod;
        if (deleted) this.due.delete(objectKey(pod));
        else if (pod.spec?.nodeName && !equal(pod.spec, (previous as Pod | undefined)?.spec))
          this.queue.add(objectKey(pod));
      }),
    );
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.queue.stop();
  }

  private sync(key: string): void {
    const { store, clock } = this.context;
    const { namespace, name } = splitKey(key);
    const pod = store.get(pods, namespace, name) as Pod | undefined;
    const node = store.get(nodes, "", pod?.spec?.nodeName ?? "") as Node | undefined;
    const taints = (node?.spec?.taints ?? []).filter((t) => t.effect === "NoExecute");
    if (pod === undefined || pod.metadata.deletionTimestamp || taints.length === 0) {
      if (pod && this.due.delete(key)) this.tell(pod, `Cancelling deletion of Pod ${namespace}/${name}`);
      return;
    }
    const seconds = toleratedSeconds(taints, pod.spec?.tolerations ?? []);
    if (seconds === Number.POSITIVE_INFINITY) {
      this.due.delete(key);
      return;
    }
    const added = Math.max(...taints.map((t) => Date.parse(t.timeAdded ?? "") || 0));
    const at = seconds === 0 ? clock.now() : (this.due.get(key) ?? (added || clock.now()) + seconds * 1000);
    if (clock.now() < at) {
      this.due.set(key, at);
      this.queue.addAfter(key, at - clock.now());
      return;
    }
    this.due.delete(key);
    this.evict(pod);
  }

  private evict(pod: Pod): void {
    const { api, as, clock } = this.context;
    const { namespace, name, uid } = pod.metadata;
    this.tell(pod, `Marking for deletion Pod ${namespace}/${name}`);
    const condition = {
      type: "DisruptionTarget",
      status: "True",
      reason: "DeletionByTaintManager",
      message: "Taint manager: deleting due to NoExecute taint",
      ...observed(pod),
    };
    const conditions = withCondition(pod.status?.conditions, condition, rfc3339(clock.now()));
    writePodStatus(api, as, pod, { ...pod.status, conditions });
    const target = { ...pods, namespace: namespace!, name: name! };
    unless(["NotFound", "Conflict"], () => api.delete(target, { preconditions: { uid: uid! } }, as));
  }

  private tell(pod: Pod, message: string): void {
    this.context.events.record(pod, "Normal", "TaintManagerEviction", message, { component: this.name });
  }
}
