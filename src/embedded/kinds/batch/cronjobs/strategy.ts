import type { V1CronJob } from "@kubernetes/client-node";
import { ageSince } from "../../../api/duration.ts";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import { defineKind, type Kind } from "../../define.ts";
import { keepSpec, nextGeneration, startWith } from "../../fields/generation.ts";
import { formatLabelSelector } from "../../fields/labels.ts";
import { oneOf } from "../../fields/names.ts";
import { nonNegative } from "../../fields/numbers.ts";
import { applyTemplateDefaults } from "../../pod-spec/template.ts";
import { nameWarnings, templateWarnings } from "../../pod-spec/warnings.ts";
import { containerCells } from "../../table/containers.ts";
import { applyPolicyDefaults } from "../jobs/defaults.ts";
import { validateJobSpec } from "../jobs/validation.ts";
import { scheduleError } from "./schedule.ts";

type CronJob = Kind<V1CronJob>;

function applyDefaults({ spec }: CronJob): void {
  if (!spec) return;
  spec.concurrencyPolicy ||= "Allow";
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
  if (!spec.jobTemplate) return;
  spec.jobTemplate.metadata ??= {};
  if (!spec.jobTemplate.spec) return;
  applyTemplateDefaults(spec.jobTemplate.spec);
  applyPolicyDefaults(spec.jobTemplate.spec);
}

function validate({ spec, metadata }: CronJob): FieldError[] {
  if (!spec) return [];
  const name = metadata.name ?? "";
  const template = spec.jobTemplate?.spec;
  return [
    ...(spec.schedule ? validateSchedule(spec.schedule) : [fieldError.required("spec.schedule")]),
    ...nonNegative(spec.startingDeadlineSeconds, "spec.startingDeadlineSeconds"),
    ...validateTimeZone(spec.timeZone),
    ...oneOf(spec.concurrencyPolicy, "spec.concurrencyPolicy", ["Allow", "Forbid", "Replace"]),
    ...(template ? validateJobSpec(template, "spec.jobTemplate.spec") : []),
    ...nonNegative(spec.successfulJobsHistoryLimit, "spec.successfulJobsHistoryLimit"),
    ...nonNegative(spec.failedJobsHistoryLimit, "spec.failedJobsHistoryLimit"),
    // A Job's name is the CronJob's and eleven characters more.
    ...(metadata.resourceVersion === undefined && name.length > 52
      ? [fieldError.invalid("metadata.name", name, "must be no more than 52 characters")]
      : []),
  ];
}

function validateSchedule(schedule: string): FieldError[] {
  const at = "spec.schedule";
  const wrong = scheduleError(schedule);
  return [
    ...(wrong === undefined ? [] : [fieldError.invalid(at, schedule, wrong)]),
    ...(schedule.includes("TZ")
      ? [fieldError.invalid(at, schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead")]
      : []),
  ];
}

function validateTimeZone(zone: string | undefined): FieldError[] {
  if (zone === undefined) return [];
  const wrong = (why: string) => [fieldError.invalid("spec.timeZone", zone, why)];
  if (zone === "") return wrong("timeZone must be nil or non-empty string");
  if (zone.toLowerCase() === "local") {
    return wrong("timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
  }
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return [];
  } catch {
    return wrong(`unknown time zone ${zone}`);
  }
}

export const cronJobs = defineKind<CronJob>({
  group: "batch",
  resource: "cronjobs",
  applyDefaults,
  prepareForCreate: startWith({}),
  prepareForUpdate: nextGeneration,
  prepareForStatusUpdate: keepSpec,
  validate,
  warnings: (cronJob, old) => [
    ...nameWarnings(cronJob.metadata.name, !old),
    ...templateWarnings(cronJob.spec?.jobTemplate?.spec?.template, "spec.jobTemplate.spec.template"),
  ],
  cells: ({ metadata, spec, status }, now) => [
    metadata.name,
    spec?.schedule ?? "",
    spec?.timeZone ?? "<none>",
    spec?.suspend === undefined ? "<unset>" : spec.suspend ? "True" : "False",
    (status?.active ?? []).length,
    status?.lastScheduleTime ? ageSince(status.lastScheduleTime, now) : "<none>",
    ageSince(metadata.creationTimestamp, now),
    ...containerCells(spec?.jobTemplate?.spec?.template),
    formatLabelSelector(spec?.jobTemplate?.spec?.selector),
  ],
});
