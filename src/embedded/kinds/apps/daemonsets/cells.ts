import type { V1DaemonSet } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import type { Kind } from "../../define.ts";
import { formatLabelSelector, formatLabels } from "../../fields/labels.ts";
import { containerCells } from "../../table/containers.ts";

export function cells({ metadata, spec, status }: Kind<V1DaemonSet>, now: number): unknown[] {
  return [
    metadata.name,
    status?.desiredNumberScheduled ?? 0,
    status?.currentNumberScheduled ?? 0,
    status?.numberReady ?? 0,
    status?.updatedNumberScheduled ?? 0,
    status?.numberAvailable ?? 0,
    formatLabels(spec?.template?.spec?.nodeSelector),
    ageSince(metadata.creationTimestamp, now),
    ...containerCells(spec?.template),
    formatLabelSelector(spec?.selector),
  ];
}
