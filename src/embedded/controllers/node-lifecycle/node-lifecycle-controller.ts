import { rfc3339 } from "../../api/clock.ts";
import { equal } from "../../api/object.ts";
import { conditionStatus, isNodeReady, isPodReady, type Node, type Pod } from "../../api/pod.ts";
import { withCondition, writePodStatus } from "../../kubelet/pod-status.ts";
import { type Controller, type ControllerContext, observe } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { leases, nodes, pods } from "../framework/resources.ts";
import { WorkQueue } from "../framework/work-queue.ts";
import { type Lease, silentConditions, taintsFor } from "./node-health.ts";

const byNode = "spec.nodeName";
const component = "node-controller";

/** How long a kubelet may be silent before its node counts as unreachable, in milliseconds. */
export interface NodeMonitorOptions {
  /** nodeMonitorGracePeriod; real default 50 s since Kubernetes 1.32, here 40 s as before and as most texts have it. */
  gracePeriod?: number;
}

/**
 * Watches over nodes: a kubelet that stops renewing its Lease makes its node's conditions Unknown, conditions become
 * taints, and the Pods of a node that is not ready are not ready either
 * (https://kubernetes.io/docs/concepts/architecture/nodes/#node-controller).
 */
export class NodeLifecycleController implements Controller {
  readonly name = "node-lifecycle-controller";
  private readonly queue: WorkQueue;
  private readonly stops: (() => void)[] = [];
  private readonly gracePeriod: number;
  /** When each kubelet was last heard of; by our clock, as a Lease may have been written before we began. */
  private readonly heard = new Map<string, number>();

  constructor(
    private readonly context: ControllerContext,
    options: NodeMonitorOptions = {},
  ) {
    this.gracePeriod = options.gracePeriod ?? 40_000;
    context.store.addIndex(pods, byNode, (pod) => [(pod as Pod).spec?.nodeName ?? ""]);
    this.queue = new WorkQueue(
      context.clock,
      (key) => this.sync(key),
      (key, error) => context.log(`node ${key}: ${error}`),
    );
  }

  start(): void {
    const { store, clock, events } = this.context;
    this.stops.push(
      observe(store, nodes, (object, previous, deleted) => {
        const name = object.metadata.name!;
        if (deleted) {
          this.heard.delete(name);
          // Recording writes, and listeners must not.
          clock.soon(() => {
            const message = `Node ${name} event: Removing Node ${name} from Controller`;
            events.record(object, "Normal", "RemovingNode", message, { component });
          });
          return;
        }
        if (previous === undefined) {
          this.heard.set(name, clock.now());
          clock.soon(() => {
            const message = `Node ${name} event: Registered Node ${name} in Controller`;
            events.record(object, "Normal", "RegisteredNode", message, { component });
          });
        } else if (heartbeat(object as Node) !== heartbeat(previous as Node)) this.heard.set(name, clock.now());
        this.queue.add(name);
      }),
      store.watch(leases, ({ object, type, previous }) => {
        if (object.metadata.namespace !== "kube-node-lease" || type === "DELETED") return;
        if ((object as Lease).spec?.renewTime === (previous as Lease | undefined)?.spec?.renewTime) return;
        this.heard.set(object.metadata.name!, clock.now());
      }),
    );
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.queue.stop();
  }

  private sync(name: string): void {
    const { store, clock } = this.context;
    let node = store.get(nodes, "", name) as Node | undefined;
    if (node === undefined) return;
    const silence = clock.now() - (this.heard.get(name) ?? clock.now());
    if (silence >= this.gracePeriod) node = this.markSilent(node);
    else this.queue.addAfter(name, this.gracePeriod - silence);
    this.applyTaints(node);
    if (conditionStatus(node, "Ready") !== "True") this.markPodsNotReady(node);
  }

  private markSilent(node: Node): Node {
    const { api, as, clock, events } = this.context;
    const conditions = silentConditions(node, clock.now());
    if (equal(conditions, node.status?.conditions)) return node;
    const wasReady = isNodeReady(node);
    const name = node.metadata.name!;
    const body = { ...node, status: { ...node.status, conditions } };
    const result = unless(["NotFound", "Conflict"], () =>
      api.update({ ...nodes, name, subresource: "status" }, body, as),
    );
    if (wasReady) {
      events.record(node, "Normal", "NodeNotReady", `Node ${name} status is now: NodeNotReady`, { component });
    }
    return (result?.object as Node | undefined) ?? (body as unknown as Node);
  }

  private applyTaints(node: Node): void {
    const { api, as, clock, store } = this.context;
    const name = node.metadata.name!;
    const latest = (store.get(nodes, "", name) as Node | undefined) ?? node;
    const taints = taintsFor(latest, clock.now());
    if (equal(taints, latest.spec?.taints ?? [])) return;
    const { taints: _old, ...spec } = latest.spec ?? {};
    const body = { ...latest, spec: taints.length > 0 ? { ...spec, taints } : spec };
    if (unless(["NotFound", "Conflict"], () => api.update({ ...nodes, name }, body, as)) === undefined) {
      this.queue.addRateLimited(name);
    }
  }

  private markPodsNotReady(node: Node): void {
    const { store, api, as, clock, events } = this.context;
    for (const object of store.byIndex(pods, byNode, node.metadata.name!)) {
      const pod = object as Pod;
      if (!isPodReady(pod)) continue;
      const old = pod.status?.conditions?.find((c) => c.type === "Ready");
      const { lastProbeTime: _probe, lastTransitionTime: _time, ...rest } = old!;
      const condition = { ...rest, type: "Ready", status: "False" };
      const conditions = withCondition(pod.status?.conditions, condition, rfc3339(clock.now()));
      writePodStatus(api, as, pod, { ...pod.status, conditions });
      events.record(pod, "Warning", "NodeNotReady", "Node is not ready", { component });
    }
  }
}

function heartbeat(node: Node): string | undefined {
  return node.status?.conditions?.find((c) => c.type === "Ready")?.lastHeartbeatTime as string | undefined;
}
