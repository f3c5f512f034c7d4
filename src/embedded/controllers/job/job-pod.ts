import { copy } from "../../api/object.ts";
import type { Container, Pod } from "../../api/pod.ts";
import { controllerReference } from "../framework/controller-reference.ts";
import { completionIndex } from "./indexes.ts";
import { type Job, trackingFinalizer } from "./job.ts";
import { judgeFailure } from "./pod-failure-policy.ts";

const failureCount = "batch.kubernetes.io/job-index-failure-count";
const ignoredFailureCount = "batch.kubernetes.io/job-index-ignored-failure-count";

/**
 * The Pod a Job makes, before the server names it.
 *
 * @param index of an indexed Job
 * @param replaced the failed Pod of that index, whose count of failures goes on, where there are limits by index
 */
export function jobPod(job: Job, index?: number, replaced?: Pod): unknown {
  const { metadata, spec } = copy(job.spec!.template);
  const body = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      generateName: `${job.metadata.name}-`,
      namespace: job.metadata.namespace,
      labels: { ...metadata?.labels },
      annotations: { ...metadata?.annotations },
      finalizers: [...new Set([...(metadata?.finalizers ?? []), trackingFinalizer])],
      ownerReferences: [controllerReference(job)],
    },
    spec: spec!,
  };
  if (index === undefined) {
    if (job.spec?.completionMode === "Indexed") throw new Error("a Pod of an indexed Job needs an index");
    return body;
  }
  body.metadata.generateName = generateName(job.metadata.name!, index);
  body.metadata.labels[completionIndex] = String(index);
  body.metadata.annotations[completionIndex] = String(index);
  for (const container of [...(spec!.initContainers ?? []), ...spec!.containers]) addIndexVariable(container);
  spec!.hostname = `${job.metadata.name}-${index}`;
  if (job.spec?.backoffLimitPerIndex !== undefined)
    Object.assign(body.metadata.annotations, countsAfter(job, replaced));
  return body;
}

/** Names with a suffix have no more than 63 characters: the Job's own is cut where it must. */
function generateName(job: string, index: number): string {
  const suffix = `-${index}-`;
  return `${job.slice(0, 58 - suffix.length)}${suffix}`;
}

function addIndexVariable(container: Container): void {
  const name = "JOB_COMPLETION_INDEX";
  if (container.env?.some((variable) => variable.name === name)) return;
  const valueFrom = { fieldRef: { fieldPath: `metadata.labels['${completionIndex}']` } } as never;
  container.env = [...(container.env ?? []), { name, valueFrom }];
}

/** How often the index of a Pod has failed before it, by failures that count. */
export function indexFailures(pod: Pod): number {
  return number(pod, failureCount);
}

/** The same with the failures that a policy ignores. */
export function allIndexFailures(pod: Pod): number {
  return number(pod, failureCount) + number(pod, ignoredFailureCount);
}

function number(pod: Pod, annotation: string): number {
  const value = Number(pod.metadata.annotations?.[annotation] ?? 0);
  return Number.isInteger(value) && value > 0 ? value : 0;
}

function countsAfter(job: Job, replaced: Pod | undefined): Record<string, string> {
  if (replaced === undefined) return { [failureCount]: "0" };
  const { counts } = judgeFailure(job.spec?.podFailurePolicy, replaced);
  const counted = number(replaced, failureCount) + (counts ? 1 : 0);
  const ignored = number(replaced, ignoredFailureCount) + (counts ? 0 : 1);
  return {
    [failureCount]: String(counted),
    ...(ignored > 0 ? { [ignoredFailureCount]: String(ignored) } : {}),
  };
}
