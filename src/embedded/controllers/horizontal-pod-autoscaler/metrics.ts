import type { V2MetricSpec } from "@kubernetes/client-node";
import type { Wire } from "../../api/object.ts";

type Metric = Wire<V2MetricSpec>;

/** Why a metric has no value: the reason of the event, and what is said about it. */
export interface Unavailable {
  reason: string;
  /** Of the condition and the metric's own event. */
  why: string;
  /** Within the list of all metrics. */
  summary: string;
}

/**
 * What comes of asking for a metric in a cluster where no metrics API is installed: neither metrics-server nor an adapter
 * (https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#support-for-metrics-apis).
 */
export function askFor(metric: Metric, namespace: string): Unavailable {
  switch (metric.type) {
    case "Resource": {
      const why = resourceFailure(metric.resource!.name, metric.resource!.target.averageValue !== undefined);
      return {
        reason: "FailedGetResourceMetric",
        why,
        summary: `failed to get ${metric.resource!.name} resource metric value: ${why}`,
      };
    }
    case "ContainerResource": {
      const { name, container, target } = metric.containerResource!;
      const why = resourceFailure(name, target.averageValue !== undefined);
      return {
        reason: "FailedGetContainerResourceMetric",
        why,
        summary: `failed to get ${container} container metric value: ${why}`,
      };
    }
    case "Pods": {
      const why = `unable to get metric ${metric.pods!.metric.name}: ${noCustomMetrics}`;
      return { reason: "FailedGetPodsMetric", why, summary: `failed to get pods metric value: ${why}` };
    }
    case "Object": {
      const { describedObject: object, metric: identifier } = metric.object!;
      const why = `unable to get metric ${identifier.name}: ${object.kind} on ${namespace} ${object.name}/${noCustomMetrics}`;
      return { reason: "FailedGetObjectMetric", why, summary: `failed to get object metric value: ${why}` };
    }
    default: {
      const { name } = metric.external!.metric;
      const cause = `unable to fetch metrics from external metrics API: the server could not find the requested resource (get ${name}.external.metrics.k8s.io)`;
      const why = `unable to get external metric ${namespace}/${name}/${selectorText(metric)}: ${cause}`;
      return { reason: "FailedGetExternalMetric", why, summary: `failed to get ${name} external metric value: ${why}` };
    }
  }
}

const noCustomMetrics =
  "unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered";

function resourceFailure(resource: string, isAmount: boolean): string {
  const cause =
    "unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)";
  const what = isAmount ? "usage" : "utilization";
  return `failed to get ${resource} ${what}: unable to get metrics for resource ${resource}: ${cause}`;
}

/** A label selector as Go prints it. */
function selectorText(metric: Metric): string {
  const selector = metric.external?.metric.selector;
  if (selector === undefined) return "nil";
  const labels = Object.entries(selector.matchLabels ?? {})
    .sort()
    .map(([key, value]) => `${key}: ${value},`)
    .join("");
  return `&LabelSelector{MatchLabels:map[string]string{${labels}},MatchExpressions:[]LabelSelectorRequirement{},}`;
}
