import type { Failure } from "./filters/filter.ts";

/**
 * Why no node takes a Pod, in the scheduler's words: `0/3 nodes are available: 1 node(s) …, 2 Insufficient cpu.`
 * (framework.FitError). A Pod that was refused before any node was looked at has `refused` instead of failures.
 */
export function fitMessage(nodes: number, failures: Iterable<Failure>, refused?: string): string {
  if (nodes === 0 && refused === undefined) return "no nodes available to schedule pods";
  const histogram = new Map<string, number>();
  for (const failure of failures) {
    for (const reason of failure.reasons) histogram.set(reason, (histogram.get(reason) ?? 0) + 1);
  }
  const reasons = [...histogram].map(([reason, count]) => `${count} ${reason}`).sort();
  const parts = [refused, reasons.length > 0 ? reasons.join(", ") : undefined].filter((p) => p !== undefined);
  return `0/${nodes} nodes are available:${parts.map((p) => ` ${p}.`).join("")}`;
}
