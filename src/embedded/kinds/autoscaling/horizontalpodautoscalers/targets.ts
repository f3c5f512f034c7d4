import type { V2MetricSpec, V2MetricStatus, V2MetricTarget, V2MetricValueStatus } from "@kubernetes/client-node";
import type { Wire } from "../../../api/object.ts";

const shown = 2;

/** `cpu: <unknown>/80%`: each metric's current value and its target. */
export function formatTargets(
  metrics: Wire<V2MetricSpec>[] | undefined,
  statuses: Wire<V2MetricStatus>[] | undefined,
): string {
  const all = (metrics ?? []).map((metric, i) => formatMetric(metric, statuses?.[i]));
  if (all.length === 0) return "<none>";
  const list = all.slice(0, shown).join(", ");
  return all.length > shown ? `${list} + ${all.length - shown} more...` : list;
}

function formatMetric(metric: Wire<V2MetricSpec>, status: Wire<V2MetricStatus> | undefined): string {
  switch (metric.type) {
    case "External":
      return amount(metric.external?.target, status?.external?.current);
    case "Object":
      return amount(metric.object?.target, status?.object?.current);
    case "Pods":
      return `${status?.pods?.current.averageValue ?? "<unknown>"}/${metric.pods?.target.averageValue}`;
    case "Resource":
      return `${metric.resource?.name}: ${usage(metric.resource?.target, status?.resource?.current)}`;
    case "ContainerResource":
      return `${metric.containerResource?.name}: ${usage(metric.containerResource?.target, status?.containerResource?.current)}`;
    default:
      return "<unknown type>";
  }
}

function amount(target: Wire<V2MetricTarget> | undefined, current: Wire<V2MetricValueStatus> | undefined): string {
  return target?.averageValue !== undefined
    ? `${current?.averageValue ?? "<unknown>"}/${target.averageValue} (avg)`
    : `${current?.value ?? "<unknown>"}/${target?.value}`;
}

function usage(target: Wire<V2MetricTarget> | undefined, current: Wire<V2MetricValueStatus> | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? "<unknown>"}/${target.averageValue}`;
  const percent = (value: number | undefined, otherwise: string) => (value === undefined ? otherwise : `${value}%`);
  return `${percent(current?.averageUtilization, "<unknown>")}/${percent(target?.averageUtilization, "<auto>")}`;
}
