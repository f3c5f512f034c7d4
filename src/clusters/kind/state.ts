import type { ClusterShape } from "../provider.ts";
import type { EngineName } from "./engine.ts";

/** What the runner knows of the kind cluster it made (`clusters/kind/state.json`). */
export interface KindState {
  schema: 1;
  /** The id in the marker ConfigMap and on the nodes. */
  id: string;
  /**
   * creating: from before kind is started until it has ended; what is found then is half-made. created: the nodes may
   * not be Ready yet, and the marker is missing. ready: made, marked and waited for.
   */
  phase: "creating" | "created" | "ready";
  engine: EngineName;
  /** Docker as a snap, which can't see temporary folders. */
  snap?: boolean;
  image: string;
  shape: ClusterShape;
  /** Containers of the nodes by name, once there. */
  containers: Record<string, string>;
  /** `v1.36.4`, once it runs. */
  version?: string;
  /** Images already loaded into the nodes. */
  loaded: string[];
}
