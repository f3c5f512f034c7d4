import type { KubeObject } from "../../api/object.ts";

/**
 * Writes core/v1 Events about objects, and folds repetitions into one Event with a count, as client-go's
 * tools/record does (same object, source, type, reason and message within the aggregation window).
 */
export interface EventRecorder {
  /**
   * @param options.component source.component and reportingComponent, for example `daemonset-controller`
   * @param options.fieldPath involvedObject.fieldPath, for example `spec.containers{agent}`
   * @param options.action what was done, for components that report by events.k8s.io (the scheduler: `Scheduling`,
   *   `Binding`, `Preempting`): the Event then carries eventTime and a series instead of source, times and count
   * @param options.related the other object the action is about
   */
  record(
    about: KubeObject,
    type: "Normal" | "Warning",
    reason: string,
    message: string,
    options: { component: string; host?: string; fieldPath?: string; action?: string; related?: KubeObject },
  ): void;
}
