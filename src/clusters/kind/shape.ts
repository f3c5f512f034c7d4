import type { ClusterShape } from "../provider.ts";
import { nodeNames } from "./config.ts";

/**
 * What stands between a cluster's nodes and a shape: node names that are missing. More workers than asked for are fine;
 * labels and taints are set on a running cluster.
 */
export function missingNodes(present: string[], shape: ClusterShape): string[] {
  return nodeNames(shape).filter((name) => !present.includes(name));
}

export function countRoles(names: string[]): { controlPlanes: number; workers: number } {
  const controlPlanes = names.filter((name) => name.includes("-control-plane")).length;
  const workers = names.filter((name) => name.includes("-worker")).length;
  return { controlPlanes, workers };
}
