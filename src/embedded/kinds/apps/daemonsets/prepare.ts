import type { V1DaemonSet } from "@kubernetes/client-node";
import { equal } from "../../../api/object.ts";
import type { Kind } from "../../define.ts";
import { keepSpec, nextGeneration, startWith } from "../../fields/generation.ts";

type DaemonSet = Kind<V1DaemonSet>;

/** How often the template has changed: a field of extensions/v1beta1 that lives on as an annotation. */
const templateGeneration = "deprecated.daemonset.template.generation";

const startAtZero = startWith({
  currentNumberScheduled: 0,
  desiredNumberScheduled: 0,
  numberMisscheduled: 0,
  numberReady: 0,
});

export function prepareForCreate(daemonSet: DaemonSet): void {
  startAtZero(daemonSet);
  setTemplateGeneration(daemonSet, Math.max(1, templateGenerationOf(daemonSet)));
}

export function prepareForUpdate(daemonSet: DaemonSet, old: DaemonSet): void {
  nextGeneration(daemonSet, old);
  const changed = !equal(daemonSet.spec?.template, old.spec?.template);
  setTemplateGeneration(daemonSet, templateGenerationOf(old) + (changed ? 1 : 0));
}

export function prepareForStatusUpdate(daemonSet: DaemonSet, old: DaemonSet): void {
  keepSpec(daemonSet, old);
  setTemplateGeneration(daemonSet, templateGenerationOf(old));
}

function templateGenerationOf(daemonSet: DaemonSet): number {
  return Number(daemonSet.metadata.annotations?.[templateGeneration] ?? 0) || 0;
}

function setTemplateGeneration(daemonSet: DaemonSet, generation: number): void {
  daemonSet.metadata.annotations = { ...daemonSet.metadata.annotations, [templateGeneration]: String(generation) };
}
