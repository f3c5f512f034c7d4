import type { V2HorizontalPodAutoscaler, V2HorizontalPodAutoscalerStatus } from "@kubernetes/client-node";
import { ApiError } from "../../api/api-error.ts";
import { rfc3339 } from "../../api/clock.ts";
import { copy, equal, type KubeObject, type Wire } from "../../api/object.ts";
import type { GroupResource } from "../../api/resource.ts";
import { type Controller, type ControllerContext, objectKey, observe, splitKey } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { groupOf } from "../framework/resource-catalogue.ts";
import { scalableResource } from "../framework/scalable-resource.ts";
import { WorkQueue } from "../framework/work-queue.ts";
import { askFor } from "./metrics.ts";

type Autoscaler = KubeObject & Wire<V2HorizontalPodAutoscaler>;
type Status = Wire<V2HorizontalPodAutoscalerStatus>;
type Scale = KubeObject & { spec: { replicas?: number }; status: { replicas: number; selector?: string } };

const autoscalers = { group: "autoscaling", resource: "horizontalpodautoscalers" };
const component = "horizontal-pod-autoscaler";
/** Every autoscaler is looked at so often (--horizontal-pod-autoscaler-sync-period). */
const syncPeriod = 15_000;

/**
 * Keeps the replicas of a target between the bounds of its autoscaler. There are no metrics in this cluster, so between
 * the bounds it can only say why it does not scale
 * (https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/).
 */
export class HorizontalPodAutoscalerController implements Controller {
  readonly name = "horizontal-pod-autoscaler";
  private readonly queue: WorkQueue;
  private unsubscribe = () => {};

  constructor(private readonly context: ControllerContext) {
    this.queue = new WorkQueue(
      context.clock,
      (key) => this.sync(key),
      (key, error) => {
        if (!(error instanceof ApiError)) context.log(`horizontal-pod-autoscaler ${key}: ${error}`);
      },
    );
  }

  start(): void {
    this.unsubscribe = observe(this.context.store, autoscalers, (autoscaler) =>
      this.queue.addAfter(objectKey(autoscaler), syncPeriod),
    );
  }

  stop(): void {
    this.unsubscribe();
    this.queue.stop();
  }

  private sync(key: string): void {
    const { namespace, name } = splitKey(key);
    const autoscaler = this.context.store.get(autoscalers, namespace, name) as Autoscaler | undefined;
    if (autoscaler?.spec === undefined) return;
    this.queue.addAfter(key, syncPeriod);
    const status = copy(autoscaler.status ?? ({} as Status));
    this.decide(autoscaler, status);
    if (equal(status, autoscaler.status)) return;
    const target = { ...autoscalers, namespace, name, subresource: "status" };
    unless(["NotFound"], () => this.context.api.update(target, { ...copy(autoscaler), status }, this.context.as));
  }

  private decide(autoscaler: Autoscaler, status: Status): void {
    const { spec, metadata } = autoscaler;
    const { minReplicas = 1, maxReplicas, metrics = [] } = spec!;
    const found = this.scaleOf(autoscaler);
    if (typeof found === "string") {
      this.event(autoscaler, "Warning", "FailedGetScale", found);
      const why = `the HPA controller was unable to get the target's current scale: ${found}`;
      this.condition(status, "AbleToScale", "False", "FailedGetScale", why);
      return;
    }
    const { scale, resource } = found;
    const able = "the HPA controller was able to get the target's current scale";
    this.condition(status, "AbleToScale", "True", "SucceededGetScale", able);
    const current = scale.spec.replicas ?? 0;
    status.currentReplicas = current;
    if (current === 0) {
      const why = "scaling is disabled since the replica count of the target is zero";
      this.condition(status, "ScalingActive", "False", "ScalingDisabled", why);
      Object.assign(status, { desiredReplicas: 0, currentMetrics: null });
    } else if (current > maxReplicas) {
      this.rescale(autoscaler, status, resource, maxReplicas, "Current number of replicas above Spec.MaxReplicas");
    } else if (current < minReplicas) {
      this.rescale(autoscaler, status, resource, minReplicas, "Current number of replicas below Spec.MinReplicas");
    } else if (!scale.status.selector) {
      this.event(autoscaler, "Warning", "SelectorRequired", "selector is required");
      const why = "the HPA target's scale is missing a selector";
      this.condition(status, "ScalingActive", "False", "InvalidSelector", why);
      this.event(autoscaler, "Warning", "FailedComputeMetricsReplicas", "selector is required");
      status.currentMetrics = null as never;
    } else {
      const asked = metrics.map((metric) => askFor(metric, metadata.namespace ?? ""));
      for (const { reason, why } of asked) this.event(autoscaler, "Warning", reason, why);
      const [first] = asked;
      if (first === undefined) return;
      const unable = `the HPA was unable to compute the replica count: ${first.why}`;
      this.condition(status, "ScalingActive", "False", first.reason, unable);
      status.currentMetrics = metrics.map(() => ({ type: "" })) as never;
      const count = `${asked.length} invalid out of ${metrics.length}`;
      const summary = `invalid metrics (${count}), first error is: ${first.summary}`;
      this.event(autoscaler, "Warning", "FailedComputeMetricsReplicas", summary);
    }
  }

  /** The target's scale, or why there is none. */
  private scaleOf({ spec, metadata }: Autoscaler): { scale: Scale; resource: GroupResource } | string {
    const { api, as, store } = this.context;
    const { apiVersion = "", kind, name } = spec!.scaleTargetRef;
    const group = groupOf(apiVersion);
    const found = scalableResource(store, group, kind);
    if (found === undefined) return `no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`;
    const { scalable, ...resource } = found;
    if (!scalable) return "the server could not find the requested resource";
    try {
      const target = { ...resource, namespace: metadata.namespace, name, subresource: "scale" };
      return { scale: api.get(target, as) as Scale, resource };
    } catch (error) {
      if (error instanceof ApiError) return error.message;
      throw error;
    }
  }

  private rescale(
    autoscaler: Autoscaler,
    status: Status,
    target: GroupResource,
    replicas: number,
    reason: string,
  ): void {
    const { api, as, clock } = this.context;
    const { namespace } = autoscaler.metadata;
    const scale = { ...target, namespace, name: autoscaler.spec!.scaleTargetRef.name, subresource: "scale" };
    try {
      const now = api.get(scale, as) as Scale;
      api.update(scale, { ...now, spec: { replicas } }, as);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const what = `New size: ${replicas}; reason: ${reason}; error: ${error.message}`;
      this.event(autoscaler, "Warning", "FailedRescale", what);
      const why = `the HPA controller was unable to update the target scale: ${error.message}`;
      this.condition(status, "AbleToScale", "False", "FailedUpdateScale", why);
      return;
    }
    const able = `the HPA controller was able to update the target scale to ${replicas}`;
    this.condition(status, "AbleToScale", "True", "SucceededRescale", able);
    this.event(autoscaler, "Normal", "SuccessfulRescale", `New size: ${replicas}; reason: ${reason}`);
    Object.assign(status, { desiredReplicas: replicas, currentMetrics: null, lastScaleTime: rfc3339(clock.now()) });
  }

  private condition(status: Status, type: string, state: "True" | "False", reason: string, message: string): void {
    const all = status.conditions ?? [];
    const old = all.find((c) => c.type === type);
    const changed = old === undefined || old.status !== state;
    const lastTransitionTime = changed ? rfc3339(this.context.clock.now()) : old.lastTransitionTime;
    const next = { type, status: state, lastTransitionTime, reason, message };
    status.conditions = old === undefined ? [...all, next] : all.map((c) => (c === old ? next : c));
  }

  private event(autoscaler: Autoscaler, type: "Normal" | "Warning", reason: string, message: string): void {
    this.context.events.record(autoscaler, type, reason, message, { component });
  }
}
