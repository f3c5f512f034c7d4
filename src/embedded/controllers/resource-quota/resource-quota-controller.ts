import resources from "../../../../data/resources.json" with { type: "json" };
import { ApiError } from "../../api/api-error.ts";
import { copy, equal, type KubeObject } from "../../api/object.ts";
import { quantityOf } from "../../api/quantity.ts";
import { type GroupResource, groupResource, type ResourceInfo } from "../../api/resource.ts";
import { type Amounts, addAmounts, onlyNamed, readAmounts, writeAmounts } from "../../quota/amounts.ts";
import { countedResource, evaluatorFor, isIgnored } from "../../quota/evaluators.ts";
import { isReleased } from "../../quota/pod-evaluator.ts";
import { isInScopes, type ResourceQuota, resourceQuotas } from "../../quota/resource-quota.ts";
import { type Controller, type ControllerContext, objectKey, observe, splitKey } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { WorkQueue } from "../framework/work-queue.ts";

/** Everything is counted anew after so long, whatever happens. */
const resync = 5 * 60_000;

/** Counts what the objects of a namespace use, for its quotas (https://kubernetes.io/docs/concepts/policy/resource-quotas/). */
export class ResourceQuotaController implements Controller {
  readonly name = "resourcequota";
  private readonly queue: WorkQueue;
  private stops: (() => void)[] = [];

  constructor(private readonly context: ControllerContext) {
    this.queue = new WorkQueue(
      context.clock,
      (key) => this.sync(key),
      (key, error) => {
        if (!(error instanceof ApiError)) context.log(`resourcequota ${key}: ${error}`);
      },
    );
  }

  start(): void {
    const { store } = this.context;
    this.stops = [
      observe(store, resourceQuotas, (quota, previous) => {
        if (!equal(quota["spec"], previous?.["spec"])) this.queue.add(objectKey(quota));
      }),
      ...countable().map((gr) =>
        store.watch(gr, ({ type, object, previous }) => {
          const isLess = type === "DELETED" || this.usesLess(gr, object, previous);
          if (isLess) this.queueQuotas(object.metadata.namespace ?? "");
        }),
      ),
    ];
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.queue.stop();
  }

  private usesLess(gr: GroupResource, object: KubeObject, previous: KubeObject | undefined): boolean {
    if (gr.group !== "" || previous === undefined) return false;
    if (gr.resource === "pods") return isReleased(object, previous, this.context.clock.now());
    const type = (o: KubeObject) => (o["spec"] as { type?: string } | undefined)?.type;
    return gr.resource === "services" && type(object) !== type(previous);
  }

  private queueQuotas(namespace: string): void {
    for (const quota of this.context.store.list(resourceQuotas, namespace)) this.queue.add(objectKey(quota));
  }

  private sync(key: string): void {
    const { store, api, as } = this.context;
    const { namespace, name } = splitKey(key);
    const quota = store.get(resourceQuotas, namespace, name) as ResourceQuota | undefined;
    if (quota === undefined) return;
    const hard = { ...(quota.spec?.hard as Record<string, string> | undefined) };
    const used = this.usage(quota, Object.keys(hard));
    const status = { hard, used: writeAmounts(used) };
    if (!equal(status, quota.status)) {
      const target = { ...resourceQuotas, namespace, name, subresource: "status" };
      unless(["NotFound"], () => api.update(target, { ...copy(quota), status }, as));
    }
    this.queue.addAfter(key, resync);
  }

  private usage(quota: ResourceQuota, names: readonly string[]): Amounts {
    const { store, clock } = this.context;
    let used: Amounts = onlyNamed(readAmounts(quota.status?.used as Record<string, string> | undefined), names);
    for (const name of names) used[name] ??= quantityOf(0);
    for (const resource of new Set(names.map(countedResource))) {
      const gr = parse(resource ?? "");
      const evaluator = evaluatorFor(gr);
      const own = evaluator.resources(names);
      for (const name of own) used[name] = quantityOf(0);
      for (const object of store.list(gr, quota.metadata.namespace)) {
        if (!isInScopes(quota, evaluator, object)) continue;
        used = addAmounts(used, onlyNamed(evaluator.usage(object, clock.now()), own));
      }
    }
    return used;
  }
}

function parse(name: string): GroupResource {
  const dot = name.indexOf(".");
  return dot < 0 ? { group: "", resource: name } : { group: name.slice(dot + 1), resource: name.slice(0, dot) };
}

/** Kubernetes' own namespaced resources. */
function countable(): GroupResource[] {
  const found = new Map<string, GroupResource>();
  for (const { group, resource, namespaced, verbs } of resources as unknown as ResourceInfo[]) {
    const gr = { group, resource };
    if (namespaced && verbs.includes("delete") && !isIgnored(gr)) found.set(groupResource(gr), gr);
  }
  return [...found.values()];
}
