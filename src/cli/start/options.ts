import type { ClusterChoice } from "../cluster-session.ts";

/** What `start` was told about the cluster and kubectl. */
export interface StartOptions extends ClusterChoice {
  /** Write kubectl's context to this file and touch no other. */
  kubeconfig?: string;
}
