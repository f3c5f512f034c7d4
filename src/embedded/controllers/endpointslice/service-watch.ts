import { matchesLabels } from "../../api/label-selector.ts";
import { equal, type KubeObject } from "../../api/object.ts";
import type { Pod } from "../../api/pod.ts";
import { type Controller, type ControllerContext, objectKey, observe } from "../framework/controller.ts";
import { pods, services } from "../framework/resources.ts";
import { WorkQueue } from "../framework/work-queue.ts";
import type { Service } from "./service-endpoints.ts";

/** A controller that keeps something up to date for each Service as its Pods come and go. */
export abstract class ServiceBasedController implements Controller {
  abstract readonly name: string;
  protected readonly queue: WorkQueue;
  private readonly stops: (() => void)[] = [];

  constructor(protected readonly context: ControllerContext) {
    this.queue = new WorkQueue(
      context.clock,
      (key) => this.sync(key),
      (key, error) => context.log(`${this.name}, ${key}: ${error}`),
    );
  }

  protected abstract sync(key: string): void;

  start(): void {
    const { store } = this.context;
    this.stops.push(
      observe(store, services, (service) => this.queue.add(objectKey(service))),
      store.watch(pods, ({ object, previous, type }) => {
        if (type !== "DELETED" && previous && !matters(object as Pod, previous as Pod)) return;
        this.queueServicesOf(object);
        if (previous && !equal(previous.metadata.labels, object.metadata.labels)) this.queueServicesOf(previous);
      }),
    );
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.queue.stop();
  }

  private queueServicesOf(pod: KubeObject): void {
    for (const object of this.context.store.list(services, pod.metadata.namespace)) {
      const selector = (object as Service).spec?.selector;
      if (selector && matchesLabels(selector, pod.metadata.labels)) this.queue.add(objectKey(object));
    }
  }
}

/** Whether a change of a Pod can change the endpoints behind a Service. */
function matters(pod: Pod, previous: Pod): boolean {
  const facts = (p: Pod) => [
    p.status?.podIP,
    p.status?.phase,
    p.status?.conditions?.find((c) => c.type === "Ready")?.status,
    p.metadata.deletionTimestamp,
    p.metadata.labels,
    p.spec?.nodeName,
  ];
  return !equal(facts(pod), facts(previous));
}
