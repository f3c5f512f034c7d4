import type { ClusterShape, TaintShape } from "../provider.ts";

/** A node as the embedded cluster's process takes it (src/embedded/cluster.ts `NodeShape`). */
export interface EmbeddedNode {
  name: string;
  controlPlane: boolean;
  labels?: Record<string, string>;
  taints?: TaintShape[];
}

/** The nodes of a shape, named as kind names them: NAME-control-plane, NAME-worker, NAME-worker2 … */
export function nodesOf(shape: ClusterShape, cluster: string): EmbeddedNode[] {
  const make = (role: "control-plane" | "worker", count: number) =>
    Array.from({ length: count }, (_, index) => {
      const extra = shape.nodes?.[role === "worker" ? "worker" : "controlPlane"];
      return {
        name: `${cluster}-${role}${index === 0 ? "" : index + 1}`,
        controlPlane: role === "control-plane",
        ...(extra?.labels === undefined ? {} : { labels: extra.labels }),
        ...(extra?.taints === undefined ? {} : { taints: extra.taints }),
      };
    });
  return [...make("control-plane", shape.controlPlanes), ...make("worker", shape.workers)];
}
