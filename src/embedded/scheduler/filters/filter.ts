import type { NodeInfo } from "../node-info.ts";

/** Why a node does not take a Pod. */
export interface Failure {
  plugin: string;
  /** In the scheduler's words, for the histogram of the message. */
  reasons: string[];
  /** False: removing Pods from the node would not help (UnschedulableAndUnresolvable). */
  resolvable: boolean;
}

/** Undefined: the node takes the Pod. */
export type Filter = (info: NodeInfo) => Failure | undefined;
