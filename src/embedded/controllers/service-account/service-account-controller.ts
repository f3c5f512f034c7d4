import { type Controller, type ControllerContext, observe } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { namespaces, serviceAccounts } from "../framework/resources.ts";
import { WorkQueue } from "../framework/work-queue.ts";

/** Keeps a ServiceAccount `default` in every namespace that is not being deleted. */
export class ServiceAccountController implements Controller {
  readonly name = "serviceaccount-controller";
  private readonly queue: WorkQueue;
  private readonly stops: (() => void)[] = [];

  constructor(private readonly context: ControllerContext) {
    this.queue = new WorkQueue(
      context.clock,
      (key) => this.sync(key),
      (key, error) => context.log(`serviceaccount of ${key}: ${error}`),
    );
  }

  start(): void {
    const { store } = this.context;
    this.stops.push(
      observe(store, namespaces, (namespace, _previous, deleted) => {
        if (!deleted) this.queue.add(namespace.metadata.name!);
      }),
      store.watch(serviceAccounts, (event) => {
        if (event.type === "DELETED") this.queue.add(event.object.metadata.namespace!);
      }),
    );
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.queue.stop();
  }

  private sync(name: string): void {
    const { store, api, as } = this.context;
    const namespace = store.get(namespaces, "", name);
    if (namespace === undefined || namespace.metadata.deletionTimestamp) return;
    if (store.get(serviceAccounts, name, "default")) return;
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace: name } };
    const target = { ...serviceAccounts, namespace: name, name: "default" };
    unless(["AlreadyExists", "NotFound", "Forbidden"], () => api.create(target, account, as));
  }
}
