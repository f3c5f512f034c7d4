import type { V1LabelSelector, V1ReplicaSet, V1ReplicaSetStatus } from "@kubernetes/client-node";
import { ApiError } from "../../api/api-error.ts";
import { rfc3339 } from "../../api/clock.ts";
import { matchesLabelSelector, matchesLabels } from "../../api/label-selector.ts";
import { copy, equal, type KubeObject, type Wire } from "../../api/object.ts";
import { isPodReady, type Pod } from "../../api/pod.ts";
import type { GroupResource } from "../../api/resource.ts";
import { type Controller, type ControllerContext, objectKey, observe, splitKey } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { pods } from "../framework/resources.ts";
import { WorkQueue } from "../framework/work-queue.ts";
import { deletionOrder } from "./deletion-order.ts";
import {
  claimPods,
  controllerUid,
  createPod,
  deletePod,
  indexPods,
  isActive,
  isAvailable,
  readySince,
} from "./owned-pods.ts";

type ReplicaSet = KubeObject & Wire<V1ReplicaSet>;
type Status = Wire<V1ReplicaSetStatus>;

/** At most so many Pods are made or deleted in one go. */
const burst = 500;

/** Keeps as many Pods of a template as a ReplicaSet asks for; a ReplicationController is the same with a map as selector. */
export class ReplicaSetController implements Controller {
  readonly name: string;
  private readonly queue: WorkQueue;
  private readonly stops: (() => void)[] = [];
  private readonly resource: GroupResource;

  constructor(
    private readonly context: ControllerContext,
    kind: "ReplicaSet" | "ReplicationController" = "ReplicaSet",
  ) {
    this.name = kind === "ReplicaSet" ? "replicaset-controller" : "replication-controller";
    this.resource =
      kind === "ReplicaSet"
        ? { group: "apps", resource: "replicasets" }
        : { group: "", resource: "replicationcontrollers" };
    indexPods(context.store);
    this.queue = new WorkQueue(
      context.clock,
      (key) => this.sync(key),
      (key, error) => {
        if (!(error instanceof ApiError)) context.log(`${this.name} ${key}: ${error}`);
      },
    );
  }

  start(): void {
    const { store } = this.context;
    this.stops.push(
      observe(store, this.resource, (object) => this.queue.add(objectKey(object))),
      observe(store, pods, (pod, previous) => this.podChanged(pod as Pod, previous as Pod | undefined)),
    );
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.queue.stop();
  }

  private podChanged(pod: Pod, previous: Pod | undefined): void {
    for (const state of [pod, previous]) {
      const owner = state?.metadata.ownerReferences?.find((reference) => reference.controller);
      if (owner && this.isOwnKind(owner.kind)) this.queue.add(`${pod.metadata.namespace}/${owner.name}`);
    }
    if (controllerUid(pod) !== undefined) return;
    for (const set of this.context.store.list(this.resource, pod.metadata.namespace) as readonly ReplicaSet[]) {
      if (matchesLabelSelector(selectorOf(set), pod.metadata.labels)) this.queue.add(objectKey(set));
    }
  }

  private isOwnKind(kind: string): boolean {
    return kind === (this.resource.group === "apps" ? "ReplicaSet" : "ReplicationController");
  }

  private sync(key: string): void {
    const { namespace, name } = splitKey(key);
    const set = this.context.store.get(this.resource, namespace, name) as ReplicaSet | undefined;
    if (!set) return;
    const claimed = claimPods(this.context, set, selectorOf(set));
    let failure: unknown;
    if (!set.metadata.deletionTimestamp) {
      try {
        this.scale(set, claimed.filter(isActive));
      } catch (error) {
        failure = error;
      }
    }
    this.writeStatus(set, claimPods(this.context, set, selectorOf(set)), failure);
    if (failure !== undefined) throw failure;
  }

  private scale(set: ReplicaSet, active: Pod[]): void {
    const missing = (set.spec?.replicas ?? 0) - active.length;
    const template = set.spec?.template;
    if (missing > 0 && template) {
      for (let i = 0; i < Math.min(missing, burst); i++) createPod(this.context, set, template, this.name);
    }
    if (missing < 0) {
      const surplus = deletionOrder(active).slice(0, Math.min(-missing, burst));
      for (const pod of surplus) deletePod(this.context, set, pod, this.name);
    }
  }

  private writeStatus(set: ReplicaSet, claimed: Pod[], failure: unknown): void {
    const now = this.context.clock.now();
    const wait = set.spec?.minReadySeconds ?? 0;
    const active = claimed.filter(isActive);
    const labels = set.spec?.template?.metadata?.labels ?? {};
    const count = (of: (pod: Pod) => boolean) => active.filter(of).length;
    const status: Status = {
      ...copy(set.status),
      replicas: active.length,
      fullyLabeledReplicas: count((pod) => matchesLabels(labels, pod.metadata.labels)),
      readyReplicas: count(isPodReady),
      availableReplicas: count((pod) => isAvailable(pod, wait, now)),
      observedGeneration: set.metadata.generation,
      conditions: conditionsWith(set.status?.conditions, failure, set, active.length, now),
    };
    if (this.resource.group === "apps") {
      status.terminatingReplicas = claimed.filter((pod) => pod.metadata.deletionTimestamp !== undefined).length;
    }
    for (const field of ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"] as const) {
      if (status[field] === 0) delete status[field];
    }
    if (!equal(status, set.status)) {
      const { namespace, name } = set.metadata;
      const target = { ...this.resource, namespace, name, subresource: "status" };
      unless(["NotFound", "Conflict"], () =>
        this.context.api.update(target, { ...copy(set), status }, this.context.as),
      );
    }
    if (wait > 0) this.lookAgain(set, active, wait, now);
  }

  /** A Pod that is ready but not for long enough becomes available with time alone. */
  private lookAgain(set: ReplicaSet, active: Pod[], minReadySeconds: number, now: number): void {
    const due = active.flatMap((pod) => {
      const since = readySince(pod);
      const left = since === undefined ? 0 : since + minReadySeconds * 1000 - now;
      return left > 0 ? [left] : [];
    });
    if (due.length > 0) this.queue.addAfter(objectKey(set), Math.min(...due));
  }
}

function selectorOf(set: ReplicaSet): Wire<V1LabelSelector> | undefined {
  if (set.kind !== "ReplicationController") return set.spec?.selector;
  return { matchLabels: set.spec?.selector as unknown as Record<string, string> };
}

function conditionsWith(
  before: Status["conditions"],
  failure: unknown,
  set: ReplicaSet,
  active: number,
  now: number,
): Status["conditions"] {
  const others = (before ?? []).filter((c) => c.type !== "ReplicaFailure");
  const old = before?.find((c) => c.type === "ReplicaFailure");
  if (failure === undefined) return others.length > 0 ? others : undefined;
  if (old) return before;
  const reason = active < (set.spec?.replicas ?? 0) ? "FailedCreate" : "FailedDelete";
  const message = failure instanceof Error ? failure.message : String(failure);
  return [...others, { type: "ReplicaFailure", status: "True", reason, message, lastTransitionTime: rfc3339(now) }];
}
