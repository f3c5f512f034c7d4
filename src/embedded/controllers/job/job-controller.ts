import { ApiError } from "../../api/api-error.ts";
import { rfc3339 } from "../../api/clock.ts";
import { matchesLabelSelector } from "../../api/label-selector.ts";
import type { KubeObject } from "../../api/object.ts";
import type { Pod } from "../../api/pod.ts";
import { type Controller, type ControllerContext, objectKey, observe, splitKey } from "../framework/controller.ts";
import { pods } from "../framework/resources.ts";
import { WorkQueue } from "../framework/work-queue.ts";
import { claimPods, controllerOf, indexPods } from "../pods/claim.ts";
import { PodControl } from "../pods/pod-control.ts";
import { countEndedPods, releasePod, written } from "./accounting.ts";
import { type FailureRecord, noFailures } from "./backoff.ts";
import { endOf, isComplete } from "./end-of-job.ts";
import {
  finishedCondition,
  isManagedElsewhere,
  isSuspended,
  isTracked,
  type Job,
  jobs,
  newCondition,
  setCondition,
  trackingFinalizer,
} from "./job.ts";
import { deleteActivePods, managePods } from "./manage-pods.ts";
import { type Round, roundOf, uncounted } from "./round.ts";

const component = "job-controller";
/** Changes of Pods are gathered for so long (the controller's SyncJobBatchPeriod). */
const batchPeriod = 1000;

/** Runs Pods to their end (https://kubernetes.io/docs/concepts/workloads/controllers/job/). */
export class JobController implements Controller {
  readonly name = "job";
  private readonly queue: WorkQueue;
  private readonly orphans: WorkQueue;
  private readonly control: PodControl;
  private readonly failures = new Map<string, FailureRecord>();
  private stops: (() => void)[] = [];

  constructor(private readonly context: ControllerContext) {
    const onError = (key: string, error: unknown) => {
      if (!(error instanceof ApiError)) context.log(`job ${key}: ${error}`);
    };
    this.control = new PodControl(context, component);
    this.queue = new WorkQueue(context.clock, (key) => this.sync(key), onError);
    this.orphans = new WorkQueue(context.clock, (key) => this.releaseOrphan(key), onError);
  }

  start(): void {
    const { store } = this.context;
    indexPods(store);
    this.stops = [
      observe(store, jobs, (job, previous, deleted) => {
        if (deleted) this.releasePodsOf(job);
        const onlyStatus = previous?.metadata.generation === job.metadata.generation && previous !== undefined;
        if (onlyStatus) this.queue.addAfter(objectKey(job), batchPeriod);
        else this.queue.add(objectKey(job));
      }),
      observe(store, pods, (pod, previous) => this.onPod(pod as Pod, previous as Pod | undefined)),
    ];
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.queue.stop();
    this.orphans.stop();
  }

  private onPod(pod: Pod, previous: Pod | undefined): void {
    const owners = [controllerOf(pod), previous && controllerOf(previous)];
    for (const owner of owners) {
      if (owner?.kind === "Job") this.queue.addAfter(`${pod.metadata.namespace}/${owner.name}`, batchPeriod);
    }
    if (isTracked(pod) && !this.isOwned(pod)) this.orphans.add(objectKey(pod));
    if (owners[0] !== undefined) return;
    for (const job of this.context.store.list(jobs, pod.metadata.namespace) as readonly Job[]) {
      if (matchesLabelSelector(job.spec?.selector, pod.metadata.labels))
        this.queue.addAfter(objectKey(job), batchPeriod);
    }
  }

  private isOwned(pod: Pod): boolean {
    const owner = controllerOf(pod);
    if (owner === undefined) return false;
    if (owner.kind !== "Job") return true;
    const job = this.context.store.get(jobs, pod.metadata.namespace!, owner.name) as Job | undefined;
    if (job?.metadata.uid !== owner.uid) return false;
    return isManagedElsewhere(job) || finishedCondition(job) === undefined;
  }

  private releasePodsOf(job: KubeObject): void {
    for (const pod of this.context.store.byIndex(pods, "controller-uid", job.metadata.uid!) as readonly Pod[]) {
      if (isTracked(pod)) this.orphans.add(objectKey(pod));
    }
  }

  private releaseOrphan(key: string): void {
    const { namespace, name } = splitKey(key);
    const pod = this.context.store.get(pods, namespace, name) as Pod | undefined;
    if (pod !== undefined && isTracked(pod) && !this.isOwned(pod)) releasePod(this.context, pod);
  }

  private sync(key: string): void {
    const { store, clock } = this.context;
    const { namespace, name } = splitKey(key);
    const job = store.get(jobs, namespace, name) as Job | undefined;
    if (job?.spec?.selector === undefined || isManagedElsewhere(job) || finishedCondition(job)) {
      this.failures.delete(key);
      return;
    }
    const claimed = claimPods(this.context, job, job.spec.selector, { finalizers: [trackingFinalizer] });
    const round = roundOf(job, claimed, this.failures.get(key) ?? noFailures, clock.now());
    if (round.status.startTime === undefined && !isSuspended(job)) round.status.startTime = rfc3339(round.now);
    round.finished = endOf(round);
    this.awaitDeadline(key, round);
    const error = this.lookAfterPods(key, round);
    this.failures.set(key, round.record);
    countEndedPods(this.context, round, () => this.write(round));
    const finished = this.finish(round);
    this.write(round);
    if (finished) this.announce(round);
    if (error !== undefined) throw error;
  }

  private awaitDeadline(key: string, { job, status, now, finished }: Round): void {
    const seconds = job.spec!.activeDeadlineSeconds;
    if (seconds === undefined || finished || isSuspended(job) || status.startTime === undefined) return;
    this.queue.addAfter(key, Math.max(1, Date.parse(status.startTime) + seconds * 1000 - now));
  }

  /** @returns what went wrong with a Pod: the Job is tried again, after its status is written */
  private lookAfterPods(key: string, round: Round): unknown {
    const { job, status } = round;
    if (round.finished) {
      deleteActivePods(this.control, round);
      Object.assign(status, { active: 0, ready: 0, terminating: round.terminating + round.active.length });
      round.terminating += round.active.length;
      return undefined;
    }
    let active = round.active.length;
    let error: unknown;
    const manages = job.metadata.deletionTimestamp === undefined;
    if (manages) {
      const managed = managePods(this.context, this.control, round);
      ({ active, error } = managed);
      if (managed.wait !== undefined) this.queue.addAfter(key, managed.wait);
    }
    if (isComplete(round, active)) {
      const message = "Reached expected number of succeeded pods";
      round.finished = newCondition("SuccessCriteriaMet", "True", "CompletionsReached", message, round.now);
    } else if (manages) this.followSuspension(round);
    Object.assign(status, { active, ready: round.ready, terminating: round.terminating });
    return error;
  }

  private followSuspension({ job, status, now }: Round): void {
    const { events } = this.context;
    if (isSuspended(job)) {
      if (!setCondition(status, newCondition("Suspended", "True", "JobSuspended", "Job suspended", now))) return;
      events.record(job, "Normal", "Suspended", "Job suspended", { component });
      delete status.startTime;
      return;
    }
    if (!setCondition(status, newCondition("Suspended", "False", "JobResumed", "Job resumed", now))) return;
    events.record(job, "Normal", "Resumed", "Job resumed", { component });
    // The deadline runs from here.
    status.startTime = rfc3339(now);
  }

  /** The final condition, once every Pod is counted and none is on its way out. */
  private finish({ status, finished, terminating, now }: Round): boolean {
    if (finished === undefined || terminating > 0) return false;
    const { succeeded, failed } = uncounted(status);
    if (succeeded.length + failed.length > 0) return false;
    setCondition(status, finished);
    if (finished.type === "Complete") status.completionTime = rfc3339(now);
    return true;
  }

  private announce({ job, status, finished }: Round): void {
    const { events } = this.context;
    if (finished!.type === "Failed") {
      events.record(job, "Warning", finished!.reason ?? "", finished!.message ?? "", { component });
      return;
    }
    const wanted = job.spec!.completions;
    if (wanted !== undefined && (status.succeeded ?? 0) > wanted) {
      const message = "Too many succeeded pods running after completion count reached";
      events.record(job, "Warning", "TooManySucceededPods", message, { component });
    }
    events.record(job, "Normal", "Completed", "Job completed", { component });
  }

  private write({ job, status }: Round): void {
    const { store, api, as } = this.context;
    const { namespace, name, uid } = job.metadata;
    const latest = store.get(jobs, namespace!, name!) as Job | undefined;
    if (latest === undefined || latest.metadata.uid !== uid) return;
    const target = { ...jobs, namespace, name, subresource: "status" };
    api.update(target, { ...latest, status: written(status) } as KubeObject, as);
  }
}
