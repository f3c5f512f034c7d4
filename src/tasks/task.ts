import type { ClusterShape } from "../clusters/provider.ts";
import type { StepText } from "../verify/step-text.ts";

/** task.yaml's `spec`, as schema/task.schema.json describes it. */
export interface TaskSpec {
  category: string;
  track?: string;
  level: "beginner" | "proficient" | "advanced";
  /** `20m`, `1h30m` */
  duration: string;
  authors?: string[];
  resources?: string[];
  /** Names of tasks to do before. */
  requires?: string[];
  namespace: string;
  cluster?: Partial<ClusterShape>;
  /** `daemonset/node-agent` */
  ready?: string[];
  /** Cluster-scoped objects that a learner makes on the way; removed with the task. */
  leftovers?: { apiVersion: string; kind: string; name: string }[];
}

export interface TaskText {
  title: string;
  description: string;
  /** Theory, Markdown. */
  body: string;
}

/** A task folder, read and found to be whole. Paths are absolute. */
export interface Task {
  name: string;
  folder: string;
  spec: TaskSpec;
  /** The nodes it needs, defaults filled in. */
  shape: ClusterShape;
  text: TaskText;
  steps: Step[];
  /** sha256 over the folder's files: what a result was judged by. */
  hash: string;
}

export interface Step {
  /** From 1. */
  number: number;
  /** The folder's name: `01-replicas-no-op`. */
  name: string;
  folder: string;
  text: StepText;
  /** verify.ts, or the verify.sh of an imported exercise. */
  verifier: string;
  /** solution.sh, where there is one. */
  solution: string | undefined;
}

/** Minutes of `1h30m`. */
export function minutesOf(duration: string): number {
  const [, hours = "0", minutes = "0"] = /^(?:(\d+)h)?(?:(\d+)m)?$/.exec(duration) ?? [];
  return Number(hours) * 60 + Number(minutes);
}
