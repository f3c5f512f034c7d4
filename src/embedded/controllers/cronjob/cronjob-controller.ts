import type { V1CronJob, V1CronJobStatus } from "@kubernetes/client-node";
import { ApiError } from "../../api/api-error.ts";
import { rfc3339 } from "../../api/clock.ts";
import { copy, equal, type KubeObject, type Wire } from "../../api/object.ts";
import { type Controller, type ControllerContext, objectKey, observe, splitKey } from "../framework/controller.ts";
import { controllerReference } from "../framework/controller-reference.ts";
import { unless } from "../framework/expected-errors.ts";
import { WorkQueue } from "../framework/work-queue.ts";
import { finishedCondition, type Job, jobs } from "../job/job.ts";
import { controllerOf } from "../pods/claim.ts";
import { parseSchedule, type Schedule, timeIn, unmetTime } from "./schedule.ts";

type CronJob = KubeObject & Wire<V1CronJob>;
type Status = Wire<V1CronJobStatus>;

const cronJobs = { group: "batch", resource: "cronjobs" };
const component = "cronjob-controller";
/** A little after the time, so that clocks may differ. */
const padding = 100;

/** Makes Jobs at the times of a schedule (https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/). */
export class CronJobController implements Controller {
  readonly name = "cronjob";
  private readonly queue: WorkQueue;
  private stops: (() => void)[] = [];

  constructor(private readonly context: ControllerContext) {
    this.queue = new WorkQueue(
      context.clock,
      (key) => this.sync(key),
      (key, error) => {
        if (!(error instanceof ApiError)) context.log(`cronjob ${key}: ${error}`);
      },
    );
  }

  start(): void {
    const { store } = this.context;
    this.stops = [
      observe(store, cronJobs, (object, previous) => this.onCronJob(object as CronJob, previous as CronJob)),
      observe(store, jobs, (job) => {
        const owner = controllerOf(job);
        if (owner?.kind === "CronJob") this.queue.add(`${job.metadata.namespace}/${owner.name}`);
      }),
    ];
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.queue.stop();
  }

  /** A new schedule is followed from now on; what it would have asked for before is not made up for. */
  private onCronJob(cronJob: CronJob, previous: CronJob | undefined): void {
    const isRescheduled =
      previous?.spec !== undefined &&
      (previous.spec.schedule !== cronJob.spec?.schedule || previous.spec.timeZone !== cronJob.spec?.timeZone);
    if (isRescheduled) this.awaitNext(cronJob, scheduleOf(cronJob));
    else this.queue.add(objectKey(cronJob));
  }

  private sync(key: string): void {
    const { store } = this.context;
    const { namespace, name } = splitKey(key);
    const cronJob = store.get(cronJobs, namespace, name) as CronJob | undefined;
    if (cronJob?.spec === undefined) return;
    const status = copy(cronJob.status ?? {});
    const own = (store.list(jobs, namespace) as readonly Job[]).filter(
      (job) => controllerOf(job)?.name === name && controllerOf(job)?.kind === "CronJob",
    );
    this.dropHistory(cronJob, status, own);
    this.followJobs(cronJob, status, own);
    try {
      if (cronJob.metadata.deletionTimestamp === undefined && !cronJob.spec.suspend) this.schedule(cronJob, status);
    } finally {
      this.write(cronJob, status);
    }
  }

  /** Brings the list of active Jobs and the time of the last success up to date. */
  private followJobs(cronJob: CronJob, status: Status, own: readonly Job[]): void {
    for (const job of own) {
      const { name, uid } = job.metadata;
      const isActive = status.active?.some((ref) => ref.uid === uid) ?? false;
      const finished = finishedCondition(job);
      if (!isActive && !finished) {
        this.event(
          cronJob,
          "Warning",
          "UnexpectedJob",
          `Saw a job that the controller did not create or forgot: ${name}`,
        );
      }
      if (!finished) continue;
      if (isActive) {
        this.removeActive(status, uid);
        const message = `Saw completed job: ${name}, condition: ${finished.type}`;
        this.event(cronJob, "Normal", "SawCompletedJob", message);
      }
      const end = job.status?.completionTime;
      if (finished.type !== "Complete" || end === undefined) continue;
      const last = status.lastSuccessfulTime;
      if (last === undefined || Date.parse(end) > Date.parse(last)) status.lastSuccessfulTime = end;
    }
    for (const { name, uid, namespace } of status.active ?? []) {
      if (this.context.store.get(jobs, namespace!, name!)?.metadata.uid === uid) continue;
      this.event(cronJob, "Normal", "MissingJob", `Active job went missing: ${name}`);
      this.removeActive(status, uid);
    }
  }

  private schedule(cronJob: CronJob, status: Status): void {
    const now = this.context.clock.now();
    const spec = cronJob.spec!;
    const schedule = scheduleOf(cronJob);
    const wanted = this.dueTime(cronJob, status, schedule, now);
    if (wanted === "never") return;
    this.awaitNext(cronJob, schedule);
    if (wanted === undefined) return;
    const deadline = spec.startingDeadlineSeconds;
    if (deadline !== undefined && wanted + deadline * 1000 < now) {
      const time = new Date(wanted).toUTCString().replace("GMT", "+0000");
      this.event(cronJob, "Warning", "MissSchedule", `Missed scheduled time to start a job: ${time}`);
      return;
    }
    const name = `${cronJob.metadata.name}-${Math.floor(wanted / 60_000)}`;
    const isProcessed = status.active?.some((ref) => ref.name === name) || status.lastScheduleTime === rfc3339(wanted);
    if (isProcessed) return;
    if (spec.concurrencyPolicy === "Forbid" && (status.active?.length ?? 0) > 0) {
      const why = "Not starting job because prior execution is running and concurrency policy is Forbid";
      this.event(cronJob, "Normal", "JobAlreadyActive", why);
      return;
    }
    if (spec.concurrencyPolicy === "Replace") {
      for (const { name: other } of [...(status.active ?? [])]) {
        const job = this.context.store.get(jobs, cronJob.metadata.namespace!, other!) as Job | undefined;
        if (job) this.deleteJob(cronJob, status, job);
      }
    }
    this.startJob(cronJob, status, name, wanted);
  }

  private dueTime(cronJob: CronJob, status: Status, schedule: Schedule, now: number): number | undefined | "never" {
    const { startingDeadlineSeconds: deadline } = cronJob.spec!;
    const since = Date.parse(String(status.lastScheduleTime ?? cronJob.metadata.creationTimestamp));
    try {
      const earliest = deadline === undefined ? since : Math.max(since, now - deadline * 1000);
      const { at, tooMany } = unmetTime(schedule, earliest, now);
      if (at !== undefined && tooMany) {
        const why = "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew";
        this.event(cronJob, "Warning", "TooManyMissedTimes", why);
      }
      return at;
    } catch (error) {
      const why = `invalid schedule: ${cronJob.spec!.schedule} : ${(error as Error).message}`;
      this.event(cronJob, "Warning", "InvalidSchedule", why);
      return "never";
    }
  }

  private awaitNext(cronJob: CronJob, schedule: Schedule): void {
    const next = schedule.next(this.context.clock.now());
    if (next !== undefined) this.queue.addAfter(objectKey(cronJob), next + padding - this.context.clock.now());
  }

  private startJob(cronJob: CronJob, status: Status, name: string, time: number): void {
    const { api, as, store } = this.context;
    const { metadata, spec } = copy(cronJob.spec!.jobTemplate);
    const { namespace } = cronJob.metadata;
    const body = {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: {
        name,
        namespace,
        labels: { ...metadata?.labels },
        annotations: {
          ...metadata?.annotations,
          "batch.kubernetes.io/cronjob-scheduled-timestamp": timeIn(cronJob.spec!.timeZone, time),
        },
        ownerReferences: [controllerReference(cronJob)],
      },
      spec,
    };
    let job: KubeObject;
    try {
      job = api.create({ ...jobs, namespace }, body, { ...as, warnings: [] });
      this.event(cronJob, "Normal", "SuccessfulCreate", `Created job ${name}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.reason !== "AlreadyExists") {
        const isGoing = error.status.details?.causes?.some((cause) => cause.reason === "NamespaceTerminating");
        if (!isGoing) this.event(cronJob, "Warning", "FailedCreate", `Error creating job: ${error.message}`);
        throw error;
      }
      job = store.get(jobs, namespace!, name)!;
      if (controllerOf(job)?.uid !== cronJob.metadata.uid) return;
    }
    const { uid, resourceVersion } = job.metadata;
    const reference = { kind: "Job", namespace, name, uid, apiVersion: "batch/v1", resourceVersion };
    status.active = [...(status.active ?? []), reference];
    status.lastScheduleTime = rfc3339(time);
  }

  /** Deletes Jobs that have ended beyond the limits, the oldest first. */
  private dropHistory(cronJob: CronJob, status: Status, own: readonly Job[]): void {
    const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = cronJob.spec!;
    const surplus = (type: string, limit: number | undefined) => {
      const ended = own.filter((job) => finishedCondition(job)?.type === type).sort(byStart);
      return limit === undefined ? [] : ended.slice(0, Math.max(0, ended.length - limit));
    };
    const gone = [...surplus("Complete", successfulJobsHistoryLimit), ...surplus("Failed", failedJobsHistoryLimit)];
    for (const job of gone) this.deleteJob(cronJob, status, job);
  }

  private deleteJob(cronJob: CronJob, status: Status, job: Job): void {
    const { api, as } = this.context;
    const { namespace, name, uid, deletionTimestamp } = job.metadata;
    if (deletionTimestamp !== undefined) return;
    const target = { ...jobs, namespace, name };
    unless(["NotFound"], () => api.delete(target, { propagationPolicy: "Background" }, as));
    this.removeActive(status, uid);
    this.event(cronJob, "Normal", "SuccessfulDelete", `Deleted job ${name}`);
  }

  private removeActive(status: Status, uid: string | undefined): void {
    const rest = (status.active ?? []).filter((ref) => ref.uid !== uid);
    if (rest.length > 0) status.active = rest;
    else delete status.active;
  }

  private event(cronJob: CronJob, type: "Normal" | "Warning", reason: string, message: string): void {
    this.context.events.record(cronJob, type, reason, message, { component });
  }

  private write(cronJob: CronJob, status: Status): void {
    if (equal(status, cronJob.status ?? {})) return;
    const { api, as } = this.context;
    const { namespace, name } = cronJob.metadata;
    const target = { ...cronJobs, namespace, name, subresource: "status" };
    unless(["NotFound"], () => api.update(target, { ...copy(cronJob), status } as KubeObject, as));
  }
}

function scheduleOf({ spec }: CronJob): Schedule {
  return parseSchedule(spec!.schedule, spec!.timeZone);
}

function byStart(a: Job, b: Job): number {
  const start = (job: Job) => (job.status?.startTime ? Date.parse(job.status.startTime) : Number.POSITIVE_INFINITY);
  if (start(a) !== start(b)) return start(a) - start(b);
  return a.metadata.name! < b.metadata.name! ? -1 : 1;
}
