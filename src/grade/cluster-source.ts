import type { KubeClient } from "../client/index.ts";
import type { Trace } from "../clusters/trace.ts";
import type { Task } from "../tasks/task.ts";
import type { NodeBaseline } from "../verify/define-step.ts";

/** A cluster that one try of one task is graded on, in the task's start state when it is handed out. */
export interface GradeCluster {
  /** What the submission's scripts get: its current context points here, in the task's namespace. */
  kubeconfig: string;
  /** The grader's own connection. */
  client: KubeClient;
  namespace: string;
  /** The nodes before the task's own changes. */
  baseline: NodeBaseline[];
  /** Absent where the cluster keeps no audit log. */
  trace: Trace | undefined;
  kind: string;
  version: string;
  /** Ends it, or undoes what the task did to it. */
  close(): Promise<void>;
}

/** Where clusters to grade on come from. */
export interface ClusterSource {
  /** @throws PracticeError of kind environment when there is none to be had */
  fresh(task: Task, signal: AbortSignal): Promise<GradeCluster>;
}
