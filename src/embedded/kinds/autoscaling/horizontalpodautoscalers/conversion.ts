import type {
  V1HorizontalPodAutoscaler,
  V2HorizontalPodAutoscaler,
  V2MetricSpec,
  V2MetricStatus,
} from "@kubernetes/client-node";
import { copy, type Wire } from "../../../api/object.ts";
import type { Kind } from "../../define.ts";

type V1 = Kind<V1HorizontalPodAutoscaler>;
type V2 = Kind<V2HorizontalPodAutoscaler>;

/** What autoscaling/v1 has no field for travels in these annotations. */
const metricsAnnotation = "autoscaling.alpha.kubernetes.io/metrics";
const behaviorAnnotation = "autoscaling.alpha.kubernetes.io/behavior";

/** The stored form of an autoscaling/v1 HorizontalPodAutoscaler. */
export function toV2(object: V1): V2 {
  const { targetCPUUtilizationPercentage: target, ...spec } = object.spec ?? {
    maxReplicas: 0,
    scaleTargetRef: { kind: "", name: "" },
  };
  const { currentCPUUtilizationPercentage: current, ...status } = object.status ?? {
    currentReplicas: 0,
    desiredReplicas: 0,
  };
  const annotations = { ...object.metadata.annotations };
  const metrics = parsed<Wire<V2MetricSpec>[]>(annotations[metricsAnnotation]) ?? [];
  const behavior = parsed<NonNullable<V2["spec"]>["behavior"]>(annotations[behaviorAnnotation]);
  delete annotations[metricsAnnotation];
  delete annotations[behaviorAnnotation];
  if (target !== undefined) {
    metrics.push({
      type: "Resource",
      resource: { name: "cpu", target: { type: "Utilization", averageUtilization: target } },
    });
  }
  return {
    ...object,
    apiVersion: "autoscaling/v2",
    metadata: withAnnotations(object.metadata, annotations),
    spec: { ...spec, ...(metrics.length > 0 ? { metrics } : {}), ...(behavior ? { behavior } : {}) },
    status: {
      ...status,
      currentMetrics:
        current === undefined
          ? undefined
          : [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: current } } }],
    },
  } as V2;
}

/** What a client of autoscaling/v1 sees of a stored HorizontalPodAutoscaler. */
export function toV1(object: V2): V1 {
  const {
    metrics = [],
    behavior,
    ...spec
  } = copy(object.spec ?? { maxReplicas: 0, scaleTargetRef: { kind: "", name: "" } });
  const { currentMetrics, conditions: _conditions, ...status } = copy(object.status ?? { desiredReplicas: 0 });
  const cpu = metrics.find((m) => m.resource?.name === "cpu" && m.resource.target.averageUtilization !== undefined);
  const others = metrics.filter((m) => m !== cpu);
  const current = currentMetrics?.find(isCpu)?.resource?.current.averageUtilization;
  const annotations = {
    ...object.metadata.annotations,
    ...(others.length > 0 ? { [metricsAnnotation]: JSON.stringify(others) } : {}),
    ...(behavior ? { [behaviorAnnotation]: JSON.stringify(behavior) } : {}),
  };
  const target = cpu?.resource?.target.averageUtilization;
  return {
    ...object,
    apiVersion: "autoscaling/v1",
    metadata: withAnnotations(object.metadata, annotations),
    spec: { ...spec, ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }) },
    status: {
      currentReplicas: 0,
      ...status,
      ...(current === undefined ? {} : { currentCPUUtilizationPercentage: current }),
    },
  } as V1;
}

function isCpu(metric: Wire<V2MetricStatus>): boolean {
  return metric.resource?.name === "cpu";
}

function parsed<T>(text: string | undefined): T | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

function withAnnotations(metadata: V2["metadata"], annotations: Record<string, string>): V2["metadata"] {
  const { annotations: _old, ...rest } = metadata;
  return Object.keys(annotations).length > 0 ? { ...rest, annotations } : rest;
}
