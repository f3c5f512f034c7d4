/** A node of the embedded cluster as it is when first made. */
export interface NodeShape {
  name: string;
  controlPlane: boolean;
  labels?: Record<string, string>;
  taints?: { key: string; value?: string; effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute" }[];
  /** Quantities; defaults: 4 CPUs, 8Gi, 110 Pods. */
  capacity?: { cpu?: string; memory?: string; pods?: string };
}
