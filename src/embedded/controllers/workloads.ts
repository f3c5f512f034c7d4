import type { Controller } from "./framework/controller.ts";
import type { ContextFactory } from "./framework/identity.ts";

/** The controllers of workloads: DaemonSets, Deployments, ReplicaSets, StatefulSets, Jobs, CronJobs. */
export function workloadControllers(_contextFor: ContextFactory): Controller[] {
  return [];
}
