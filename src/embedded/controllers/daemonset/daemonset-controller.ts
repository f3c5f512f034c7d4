import { matchesLabelSelector } from "../../api/label-selector.ts";
import { equal, type KubeObject } from "../../api/object.ts";
import { isPodReady, type Node, type Pod } from "../../api/pod.ts";
import { type Controller, type ControllerContext, objectKey, observe, splitKey } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { nodes, pods } from "../framework/resources.ts";
import { WorkQueue } from "../framework/work-queue.ts";
import { controllerRevisions, type History, indexRevisions, syncHistory, trimHistory } from "../history/revisions.ts";
import { claimPods, controllerOf, indexPods } from "../pods/claim.ts";
import { PodControl } from "../pods/pod-control.ts";
import { daemonPod, revisionHashLabel, targetNode } from "./daemon-pod.ts";
import { type DaemonSet, eligibility } from "./eligibility.ts";
import { FailedPodBackoff } from "./failed-pod-backoff.ts";
import { type Plan, type PlanInput, planCoverage, planRollingUpdate, podsByNode } from "./plan.ts";
import { daemonSetStatus } from "./status.ts";

const daemonSets = { group: "apps", resource: "daemonsets" };
const component = "daemonset-controller";
/** As many Pods a sync makes or deletes at most (kube-controller-manager's BurstReplicas). */
const burst = 250;

/** Keeps a daemon on every eligible node (https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/). */
export class DaemonSetController implements Controller {
  readonly name = "daemonset";
  private readonly queue: WorkQueue;
  private readonly podControl: PodControl;
  private readonly backoff = new FailedPodBackoff();
  private stops: (() => void)[] = [];

  constructor(private readonly context: ControllerContext) {
    this.queue = new WorkQueue(
      context.clock,
      (key) => this.sync(key),
      (key, error) => context.log(`daemonset ${key}: ${error instanceof Error ? error.message : String(error)}`),
    );
    this.podControl = new PodControl(context, component);
  }

  start(): void {
    const { store } = this.context;
    indexPods(store);
    indexRevisions(this.context);
    this.stops = [
      observe(store, daemonSets, (daemonSet) => this.queue.add(objectKey(daemonSet))),
      observe(store, pods, (pod, previous, deleted) => this.onPod(pod as Pod, previous as Pod | undefined, deleted)),
      observe(store, controllerRevisions, (revision, _previous, deleted) => this.onRevision(revision, deleted)),
      observe(store, nodes, (node, previous, deleted) =>
        this.onNode(node as Node, previous as Node | undefined, deleted),
      ),
    ];
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.queue.stop();
  }

  /** A revision that goes is missed, and one that nobody owns may be adopted; what else happens to them can wait. */
  private onRevision(revision: KubeObject, deleted: boolean): void {
    const owner = controllerOf(revision);
    const { namespace, labels } = revision.metadata;
    if (deleted && owner?.kind === "DaemonSet") this.queue.add(`${namespace}/${owner.name}`);
    if (deleted || owner !== undefined) return;
    for (const daemonSet of this.context.store.list(daemonSets, namespace) as readonly DaemonSet[]) {
      if (matchesLabelSelector(daemonSet.spec?.selector, labels)) this.queue.add(objectKey(daemonSet));
    }
  }

  private onPod(pod: Pod, previous: Pod | undefined, deleted: boolean): void {
    const owners = [controllerOf(pod), previous && controllerOf(previous)].filter(
      (owner) => owner?.kind === "DaemonSet",
    );
    for (const owner of owners) this.queue.add(`${pod.metadata.namespace}/${owner!.name}`);
    if (owners.length > 0 || controllerOf(pod) !== undefined || deleted) return;
    for (const daemonSet of this.context.store.list(daemonSets, pod.metadata.namespace) as readonly DaemonSet[]) {
      if (matchesLabelSelector(daemonSet.spec?.selector, pod.metadata.labels)) this.queue.add(objectKey(daemonSet));
    }
  }

  /**
   * A node that comes to need a daemon, or whose daemon has to go, is a reason to look again. A node that only ceases to
   * be eligible is not: its daemon may stay, and the counts follow with the next sync.
   */
  private onNode(node: Node, previous: Node | undefined, deleted: boolean): void {
    if (deleted) return;
    if (
      previous &&
      equal(previous.metadata.labels, node.metadata.labels) &&
      equal(previous.spec?.taints, node.spec?.taints)
    )
      return;
    const { store } = this.context;
    for (const daemonSet of store.list(daemonSets) as readonly DaemonSet[]) {
      const { shouldRun, shouldContinueRunning } = eligibility(daemonSet, node);
      const hasDaemon = (store.byIndex(pods, "controller-uid", daemonSet.metadata.uid!) as readonly Pod[]).some(
        (pod) => targetNode(pod) === node.metadata.name,
      );
      if ((shouldRun && !hasDaemon) || (!shouldContinueRunning && hasDaemon)) this.queue.add(objectKey(daemonSet));
    }
  }

  private sync(key: string): void {
    const { store, clock } = this.context;
    const { namespace, name } = splitKey(key);
    const daemonSet = store.get(daemonSets, namespace, name) as DaemonSet | undefined;
    if (daemonSet === undefined) {
      this.backoff.forget(`${key}/`);
      return;
    }
    const selector = daemonSet.spec!.selector;
    if (isEmptySelector(selector)) {
      const message = "This daemon set is selecting all pods. A non-empty selector is required.";
      this.context.events.record(daemonSet, "Warning", "SelectingAll", message, { component });
      return;
    }
    if (daemonSet.metadata.deletionTimestamp !== undefined) return;
    const history = this.syncHistory(daemonSet);
    const hash = history.current.metadata.labels?.[revisionHashLabel] ?? "";
    const input = (): PlanInput => ({
      daemonSet,
      nodes: store.list(nodes) as readonly Node[],
      pods: podsByNode(claimPods(this.context, daemonSet, selector), false),
      hash,
      now: clock.now(),
      mayReplace: (node) => this.mayReplace(key, node, clock.now()),
    });
    try {
      const coverage = { ...input(), pods: podsByNode(claimPods(this.context, daemonSet, selector), true) };
      const busy = this.carryOut(daemonSet, planCoverage(coverage), hash);
      if (!busy && daemonSet.spec!.updateStrategy?.type === "RollingUpdate") {
        this.carryOut(daemonSet, planRollingUpdate(input()), hash);
      }
      this.trimHistory(daemonSet, history);
    } finally {
      this.updateStatus(daemonSet, input());
    }
  }

  /** @returns true when there was something to do: a rolling update waits for what comes of it */
  private carryOut(daemonSet: DaemonSet, plan: Plan, hash: string): boolean {
    for (const pod of plan.ended) {
      const failed = pod.status?.phase === "Failed";
      const where = `daemon pod ${pod.metadata.namespace}/${pod.metadata.name} on node ${targetNode(pod)}`;
      const [type, reason, message] = failed
        ? (["Warning", "FailedDaemonPod", `Found failed ${where}, will try to kill it`] as const)
        : (["Normal", "SucceededDaemonPod", `Found succeeded ${where}, will try to delete it`] as const);
      this.context.events.record(daemonSet, type, reason, message, { component });
    }
    const going = [...plan.remove, ...plan.ended].slice(0, burst);
    const bodies = plan.create.slice(0, burst).map((node) => daemonPod(daemonSet, node, hash));
    if (bodies.length > 0) this.podControl.createAll(daemonSet, bodies);
    for (const pod of going) this.podControl.delete(daemonSet, pod);
    return going.length > 0 || bodies.length > 0;
  }

  private mayReplace(key: string, node: string, now: number): boolean {
    const wait = this.backoff.take(`${key}/${node}`, now);
    if (wait > 0) this.queue.addAfter(key, wait);
    return wait === 0;
  }

  private syncHistory(daemonSet: DaemonSet): History {
    const { template } = daemonSet.spec!;
    return syncHistory(this.context, {
      owner: daemonSet,
      selector: daemonSet.spec!.selector,
      template,
      labels: template.metadata?.labels,
      hashLabel: revisionHashLabel,
      collisionCount: daemonSet.status?.collisionCount,
      data: { spec: { template: { ...template, $patch: "replace" } } },
    });
  }

  private trimHistory(daemonSet: DaemonSet, { old }: History): void {
    const own = this.context.store.byIndex(pods, "controller-uid", daemonSet.metadata.uid!);
    const live = new Set(own.map((pod) => pod.metadata.labels?.[revisionHashLabel] ?? ""));
    trimHistory(this.context, old, daemonSet.spec!.revisionHistoryLimit ?? 10, revisionHashLabel, live);
  }

  private updateStatus(before: DaemonSet, { nodes: all, pods: byNode, hash, now }: PlanInput): void {
    const { store, api, as } = this.context;
    const { namespace, name } = before.metadata;
    const daemonSet = store.get(daemonSets, namespace!, name!) as DaemonSet | undefined;
    if (daemonSet === undefined || daemonSet.metadata.uid !== before.metadata.uid) return;
    // The counts are of the spec that was acted on; a newer one will be observed by its own sync.
    const status = daemonSetStatus(before, all, byNode, hash, now);
    if (!equal(status, daemonSet.status)) {
      const target = { ...daemonSets, namespace, name, subresource: "status" };
      unless(["NotFound", "Conflict"], () => api.update(target, { ...daemonSet, status } as KubeObject, as));
    }
    const minReady = (before.spec!.minReadySeconds ?? 0) * 1000;
    if (minReady > 0 && status.numberReady !== (status.numberAvailable ?? 0)) {
      this.queue.addAfter(objectKey(before), nextAvailable([...byNode.values()].flat(), minReady, now));
    }
  }
}

/** Milliseconds until the first Pod that is ready counts as available. */
function nextAvailable(all: readonly Pod[], minReady: number, now: number): number {
  const waits = all.filter(isPodReady).map((pod) => {
    const ready = pod.status!.conditions!.find((c) => c.type === "Ready")!;
    return Date.parse(String(ready.lastTransitionTime)) + minReady - now;
  });
  return Math.max(10, Math.min(minReady, ...waits.filter((wait) => wait > 0)));
}

function isEmptySelector(
  selector: DaemonSet["spec"] extends infer S ? (S extends { selector: infer L } ? L : never) : never,
): boolean {
  const { matchLabels = {}, matchExpressions = [] } = (selector ?? {}) as {
    matchLabels?: object;
    matchExpressions?: unknown[];
  };
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}
