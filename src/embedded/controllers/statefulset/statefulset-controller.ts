import { ApiError } from "../../api/api-error.ts";
import { matchesLabelSelector } from "../../api/label-selector.ts";
import { equal, type KubeObject } from "../../api/object.ts";
import type { Pod } from "../../api/pod.ts";
import { type Controller, type ControllerContext, objectKey, observe, splitKey } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { pods } from "../framework/resources.ts";
import { WorkQueue } from "../framework/work-queue.ts";
import {
  controllerRevisions,
  type History,
  indexRevisions,
  type Revision,
  revisionsOf,
  syncHistory,
} from "../history/revisions.ts";
import { claimPods, controllerOf, indexPods } from "../pods/claim.ts";
import { readySince } from "../replicaset/owned-pods.ts";
import { isMember, ordinalOf, revisionOf, type StatefulSet } from "./stateful-pod.ts";
import { StatefulPodControl } from "./stateful-pod-control.ts";
import { completeRollingUpdate, countPods, type Status, writtenStatus } from "./status.ts";
import { membersOf, type Round, takeStep } from "./update.ts";

const statefulSets = { group: "apps", resource: "statefulsets" };

/** Keeps Pods with a name and storage of their own (https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/). */
export class StatefulSetController implements Controller {
  readonly name = "statefulset";
  private readonly queue: WorkQueue;
  private readonly control: StatefulPodControl;
  private stops: (() => void)[] = [];

  constructor(private readonly context: ControllerContext) {
    this.control = new StatefulPodControl(context);
    this.queue = new WorkQueue(
      context.clock,
      (key) => this.sync(key),
      (key, error) => {
        if (!(error instanceof ApiError)) context.log(`statefulset ${key}: ${error}`);
      },
    );
  }

  start(): void {
    const { store } = this.context;
    indexPods(store);
    indexRevisions(this.context);
    this.stops = [
      observe(store, statefulSets, (set) => this.queue.add(objectKey(set))),
      observe(store, pods, (pod, previous) => this.onPod(pod as Pod, previous as Pod | undefined)),
    ];
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.queue.stop();
  }

  private onPod(pod: Pod, previous: Pod | undefined): void {
    for (const owner of [controllerOf(pod), previous && controllerOf(previous)]) {
      if (owner?.kind === "StatefulSet") this.queue.add(`${pod.metadata.namespace}/${owner.name}`);
    }
    if (controllerOf(pod) !== undefined) return;
    for (const set of this.context.store.list(statefulSets, pod.metadata.namespace) as readonly StatefulSet[]) {
      if (matchesLabelSelector(set.spec?.selector, pod.metadata.labels)) this.queue.add(objectKey(set));
    }
  }

  private sync(key: string): void {
    const { store, clock } = this.context;
    const { namespace, name } = splitKey(key);
    const set = store.get(statefulSets, namespace, name) as StatefulSet | undefined;
    if (set?.spec === undefined) return;
    const members = () =>
      claimPods(this.context, set, set.spec!.selector, { isMember: (pod) => isMember(set, pod) }).sort(
        (a, b) => ordinalOf(a) - ordinalOf(b),
      );
    const own = members();
    const { current, update } = this.revisions(set);
    const round: Round = { set, current, update, pods: own, now: clock.now(), control: this.control };
    const { replicas, condemned } = membersOf(round);
    let replaced: number | undefined;
    let failure: unknown;
    if (set.metadata.deletionTimestamp === undefined) {
      try {
        replaced = takeStep(round, { replicas, condemned });
      } catch (error) {
        failure = error;
      }
    }
    // What a step has made or deleted is counted when it shows; only Pods that go for an update are counted off at once.
    const counts = countPods(set, own, current, update, round.now);
    counts.currentReplicas -= replaced ?? 0;
    this.writeStatus(set, {
      ...counts,
      observedGeneration: set.metadata.generation,
      currentRevision: current.metadata.name,
      updateRevision: update.metadata.name,
      collisionCount: set.status?.collisionCount ?? 0,
      ...(set.status?.conditions === undefined ? {} : { conditions: set.status.conditions }),
    });
    this.lookAgain(set, own, round.now);
    this.trimHistory(set, own, current, update);
    if (failure !== undefined) throw failure;
  }

  /** The revision of the present template, and the one that the set's Pods came from until all are updated. */
  private revisions(set: StatefulSet): { current: Revision; update: Revision } {
    const history = this.history(set);
    const update = history.current;
    const named = [update, ...history.old].find((r) => r.metadata.name === set.status?.currentRevision);
    return { current: named ?? update, update };
  }

  private history(set: StatefulSet): History {
    const { template } = set.spec!;
    return syncHistory(this.context, {
      owner: set,
      selector: set.spec!.selector,
      template,
      labels: template.metadata?.labels,
      hashLabel: "controller.kubernetes.io/hash",
      collisionCount: set.status?.collisionCount,
      data: { spec: { template: { ...template, $patch: "replace" } } },
    });
  }

  /** Revisions that nothing runs on any more are kept up to the limit, the newest ones. */
  private trimHistory(set: StatefulSet, own: readonly Pod[], current: Revision, update: Revision): void {
    const live = new Set([current.metadata.name, update.metadata.name, ...own.map(revisionOf)]);
    const past = revisionsOf(this.context, set).filter((revision) => !live.has(revision.metadata.name));
    for (const revision of past.slice(0, Math.max(0, past.length - (set.spec!.revisionHistoryLimit ?? 10)))) {
      const { namespace, name } = revision.metadata;
      unless(["NotFound"], () =>
        this.context.api.delete({ ...controllerRevisions, namespace, name }, {}, this.context.as),
      );
    }
  }

  private writeStatus(set: StatefulSet, status: Status): void {
    const { store, api, as } = this.context;
    completeRollingUpdate(set, status);
    const written = writtenStatus(status);
    if (equal(written, set.status)) return;
    const { namespace, name } = set.metadata;
    const latest = store.get(statefulSets, namespace!, name!) as StatefulSet | undefined;
    if (latest === undefined || latest.metadata.uid !== set.metadata.uid) return;
    unless(["NotFound", "Conflict"], () =>
      api.update(
        { ...statefulSets, namespace, name, subresource: "status" },
        { ...latest, status: written } as KubeObject,
        as,
      ),
    );
  }

  /** A Pod that is ready but not for long enough becomes available with time alone. */
  private lookAgain(set: StatefulSet, own: readonly Pod[], now: number): void {
    const wait = (set.spec!.minReadySeconds ?? 0) * 1000;
    if (wait === 0) return;
    const due = own.map((pod) => (readySince(pod) ?? 0) + wait - now).filter((left) => left > 0);
    if (due.length > 0) this.queue.addAfter(objectKey(set), Math.min(...due));
  }
}
