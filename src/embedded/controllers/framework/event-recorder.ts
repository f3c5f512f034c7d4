import type { KubeObject } from "../../api/object.ts";

/**
 * Writes core/v1 Events about objects, and folds repetitions into one Event with a count, as client-go's
 * tools/record does (same object, source, type, reason and message within the aggregation window).
 */
export interface EventRecorder {
  /**
   * @param component source.component and reportingComponent, for example `daemonset-controller`
   * @param fieldPath involvedObject.fieldPath, for example `spec.containers{agent}`
   */
  record(
    about: KubeObject,
    type: "Normal" | "Warning",
    reason: string,
    message: string,
    options: { component: string; host?: string; fieldPath?: string },
  ): void;
}
