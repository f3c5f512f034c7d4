import type { Taint, Toleration } from "../../api/pod.ts";
import { tolerates } from "../../scheduler/filters/taints.ts";

/**
 * How long a Pod may stay on a node with these NoExecute taints, in seconds after they were put: 0 at once (one of
 * them is not tolerated), Infinity for good, otherwise the shortest tolerationSeconds.
 */
export function toleratedSeconds(taints: readonly Taint[], tolerations: readonly Toleration[]): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (const taint of taints) {
    if (taint.effect !== "NoExecute") continue;
    const matching = tolerations.filter((t) => tolerates(t, taint));
    if (matching.length === 0) return 0;
    for (const { tolerationSeconds } of matching) {
      if (tolerationSeconds !== undefined) shortest = Math.min(shortest, Math.max(0, tolerationSeconds));
    }
  }
  return shortest;
}
