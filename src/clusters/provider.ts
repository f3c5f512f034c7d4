import type { Message } from "../messages/catalogue.ts";
import type { Trace } from "./trace.ts";

/** What a task asks of a cluster (task.yaml `spec.cluster`). */
export interface ClusterShape {
  controlPlanes: number;
  workers: number;
  /** Labels and taints by role, set when the cluster is made. */
  nodes?: Partial<Record<"worker" | "controlPlane", NodeChanges>>;
  /** Workers that differ: in the order of their names, each pool takes as many as it says. */
  pools?: (NodeChanges & { workers: number })[];
}

/** What a task sets on nodes. */
export interface NodeChanges {
  labels?: Record<string, string>;
  taints?: TaintShape[];
}

export interface TaintShape {
  key: string;
  value?: string;
  effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
}

/** Can this kind of cluster be used here? If not: why, and what would change that. */
export type Availability = { usable: true; detail: Message } | { usable: false; reason: Message; remedy?: Message };

export type Capability = "trace" | "nodes.stop" | "nodes.add";

/** A cluster to work on. The runner's own calls go through `kubeconfigPath` and `context`, never the learner's. */
export interface Cluster {
  /** `embedded`, `kind` or `context:NAME`. */
  readonly id: string;
  readonly kubeconfigPath: string;
  readonly context: string;
  /** Absent where the cluster keeps no audit log we can read. */
  readonly trace: Trace | undefined;
  readonly capabilities: ReadonlySet<Capability>;
  /** True when the runner made it, and so may delete it. */
  readonly owned: boolean;
  /** Kubernetes' version, `v1.36.2`. */
  readonly version: string;
  stopNode?(name: string): Promise<void>;
  startNode?(name: string): Promise<void>;
  addNode?(name: string, labels?: Record<string, string>): Promise<void>;
  removeNode?(name: string): Promise<void>;
  /**
   * Brings images to where the nodes find them without a network of their own (kind). Absent where nodes pull images
   * themselves or run none. Throws PracticeError naming the image and the way to bring it.
   */
  prepareImages?(images: string[], progress: Progress, signal?: AbortSignal): Promise<void>;
}

/** Told of each phase of a start-up, in order; `fraction` is 0 to 1 where it is known. */
export interface Progress {
  phase(text: Message, fraction?: number): void;
}

export interface ClusterProvider {
  readonly kind: "embedded" | "kind" | "context";
  detect(): Promise<Availability>;
  /** Idempotent: finds, revives or makes the cluster. Recreates a wrong one only when `recreate` is set. */
  up(shape: ClusterShape, progress: Progress, options?: { recreate?: boolean; signal?: AbortSignal }): Promise<Cluster>;
  /** The running cluster, without starting one; undefined when there is none. Quick: one file and one request. */
  find(): Promise<Cluster | undefined>;
  /** Stops and deletes what `up` made; true when there was something. Never touches a cluster that is not ours. */
  down(): Promise<boolean>;
}
