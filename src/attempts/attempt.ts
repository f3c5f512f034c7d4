/** A task started by a learner, as it is kept on disk. Times are milliseconds since the epoch. */
export interface Attempt {
  task: string;
  /** The task's content hash when the attempt began. */
  taskHash: string;
  /** `embedded`, `kind` or `context:NAME` */
  cluster: string;
  namespace: string;
  /**
   * preparing: the start state is being made (a start that was interrupted goes on from here). stopped: its objects
   * are gone.
   */
  state: "preparing" | "under-way" | "finished" | "stopped";
  startedAt: number;
  /** The current step's name; the last one's when finished. */
  currentStep: string;
  /** By step name. */
  steps: Record<string, StepProgress>;
  /** The nodes as they were when the task began; what `stop` brings them back to. */
  nodes: NodeRecord[];
}

export interface StepProgress {
  /** From when on the trace counts. */
  beganAt: number;
  passedAt?: number;
  /** How often it was verified without passing. */
  failures: number;
  hintsShown: number;
  solutionShown?: boolean;
}

export interface NodeRecord {
  name: string;
  labels: Record<string, string>;
  taints: { key: string; value?: string; effect: string }[];
  unschedulable: boolean;
}

export function newStepProgress(now: number): StepProgress {
  return { beganAt: now, failures: 0, hintsShown: 0 };
}

/** Is there work that a careless `start` would lose? */
export function isUnderWay(attempt: Attempt | undefined): attempt is Attempt {
  return attempt?.state === "under-way";
}
