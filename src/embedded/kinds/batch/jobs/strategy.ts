import type { V1Job } from "@kubernetes/client-node";
import { ageSince, humanDuration } from "../../../api/duration.ts";
import { defineKind, type Kind } from "../../define.ts";
import { keepSpec, nextGeneration } from "../../fields/generation.ts";
import { formatLabelSelector } from "../../fields/labels.ts";
import { nameWarnings, templateWarnings } from "../../pod-spec/warnings.ts";
import { containerCells } from "../../table/containers.ts";
import { applyDefaults } from "./defaults.ts";
import { prepareForCreate } from "./prepare.ts";
import { validate, validateUpdate } from "./validation.ts";

type Job = Kind<V1Job>;

export const jobs = defineKind<Job>({
  group: "batch",
  resource: "jobs",
  applyDefaults,
  prepareForCreate,
  prepareForUpdate: nextGeneration,
  prepareForStatusUpdate: keepSpec,
  validate,
  validateUpdate,
  warnings: (job, old) => [
    ...nameWarnings(job.metadata.name, !old),
    ...templateWarnings(job.spec?.template, "spec.template"),
  ],
  selectableFields: { "status.successful": (job) => String(job.status?.succeeded ?? 0) },
  // kubectl and clients of old expect Pods to outlive the Job unless they say otherwise.
  defaultPropagation: "Orphan",
  cells: (job, now) => [
    job.metadata.name,
    status(job),
    completions(job),
    runTime(job, now),
    ageSince(job.metadata.creationTimestamp, now),
    ...containerCells(job.spec?.template),
    formatLabelSelector(job.spec?.selector),
  ],
});

function status(job: Job): string {
  const has = (type: string) => job.status?.conditions?.some((c) => c.type === type && c.status === "True");
  if (has("Complete")) return "Complete";
  if (has("Failed")) return "Failed";
  if (job.metadata.deletionTimestamp) return "Terminating";
  return ["Suspended", "FailureTarget", "SuccessCriteriaMet"].find(has) ?? "Running";
}

function completions({ spec, status: current }: Job): string {
  const succeeded = current?.succeeded ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec?.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function runTime({ status: current }: Job, now: number): string {
  if (!current?.startTime) return "";
  const end = current.completionTime ? Date.parse(current.completionTime) : now;
  return humanDuration(end - Date.parse(current.startTime));
}
