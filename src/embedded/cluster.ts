import type { Clock } from "./api/clock.ts";
import type { Api } from "./registry/api.ts";
import type { Store } from "./store/store.ts";

/** A node of the embedded cluster as it is when first made. */
export interface NodeShape {
  name: string;
  controlPlane: boolean;
  labels?: Record<string, string>;
  taints?: { key: string; value?: string; effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute" }[];
  /** Quantities; defaults: 4 CPUs, 8Gi, 110 Pods. */
  capacity?: { cpu?: string; memory?: string; pods?: string };
}

export interface EmbeddedClusterOptions {
  /** Nodes to create when the cluster is new; a cluster restored from `dataDir` keeps its own. */
  nodes: NodeShape[];
  /** Where objects, audit log and PKI are kept; absent: in memory only (a grader's throwaway cluster). */
  dataDir?: string;
  /** Loopback port; 0 or absent: any free one. */
  port?: number;
  /** The context, cluster and user name in the kubeconfig; default k8s-practice-embedded. */
  name?: string;
  clock?: Clock;
  /** Called for each audit event (audit.k8s.io/v1 Event, level Request), in order. */
  onAudit?(event: Record<string, unknown>): void;
  log?(line: string): void;
}

/** A running embedded cluster: server, controllers, scheduler and kubelets in this process. */
export interface EmbeddedCluster {
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  /** A kubeconfig (YAML) with a client certificate of group system:masters, as kind's. */
  readonly kubeconfig: string;
  readonly store: Store;
  readonly api: Api;
  /** Nodes as machines: `stop` ends heartbeats and Pods' status updates, as pulling the plug does. */
  readonly nodes: {
    add(shape: NodeShape): void;
    stop(name: string): void;
    start(name: string): void;
    remove(name: string): void;
  };
  /** What was found wrong with the data at start, and what was kept; empty when all was well. */
  readonly recovered: string[];
  close(): Promise<void>;
}
