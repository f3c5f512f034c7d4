import { ApiError } from "../../api/api-error.ts";
import { type Controller, type ControllerContext, objectKey, observe, splitKey } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { WorkQueue } from "../framework/work-queue.ts";
import { finishedCondition, type Job, jobs } from "../job/job.ts";

/** Deletes Jobs some time after their end (https://kubernetes.io/docs/concepts/workloads/controllers/ttlafterfinished/). */
export class TtlAfterFinishedController implements Controller {
  readonly name = "ttl-after-finished";
  private readonly queue: WorkQueue;
  private unsubscribe = () => {};

  constructor(private readonly context: ControllerContext) {
    this.queue = new WorkQueue(
      context.clock,
      (key) => this.sync(key),
      (key, error) => {
        if (!(error instanceof ApiError)) context.log(`ttl-after-finished ${key}: ${error}`);
      },
    );
  }

  start(): void {
    this.unsubscribe = observe(this.context.store, jobs, (job, _previous, deleted) => {
      if (!deleted && expiry(job as Job) !== undefined) this.queue.add(objectKey(job));
    });
  }

  stop(): void {
    this.unsubscribe();
    this.queue.stop();
  }

  private sync(key: string): void {
    const { store, clock, api, as } = this.context;
    const { namespace, name } = splitKey(key);
    const job = store.get(jobs, namespace, name) as Job | undefined;
    const at = job === undefined ? undefined : expiry(job);
    if (job === undefined || at === undefined) return;
    if (at > clock.now()) {
      this.queue.addAfter(key, at - clock.now());
      return;
    }
    const options = { propagationPolicy: "Foreground", preconditions: { uid: job.metadata.uid } } as const;
    unless(["NotFound", "Conflict"], () => api.delete({ ...jobs, namespace, name }, options, as));
  }
}

/** When a Job's time is over, in milliseconds; undefined where it has none, or has not ended, or is going already. */
function expiry(job: Job): number | undefined {
  const ttl = job.spec?.ttlSecondsAfterFinished;
  const ended = finishedCondition(job)?.lastTransitionTime;
  if (ttl === undefined || ended === undefined || job.metadata.deletionTimestamp !== undefined) return undefined;
  return Date.parse(ended) + ttl * 1000;
}
