import type { Taint, Toleration } from "../../api/pod.ts";

/** Whether a toleration covers a taint (v1.Toleration.ToleratesTaint): empty key with Exists covers every taint. */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  if (toleration.operator === "Exists") return true;
  if (!toleration.key) return false;
  return (toleration.value ?? "") === (taint.value ?? "");
}

/** The first taint with one of these effects that nothing tolerates. */
export function untoleratedTaint(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  effects: readonly string[],
): Taint | undefined {
  return (taints ?? []).find(
    (taint) => effects.includes(taint.effect) && !(tolerations ?? []).some((t) => tolerates(t, taint)),
  );
}

/** How many PreferNoSchedule taints a Pod does not tolerate: the fewer, the better the node. */
export function intolerablePreferences(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
): number {
  const relevant = (tolerations ?? []).filter((t) => !t.effect || t.effect === "PreferNoSchedule");
  return (taints ?? []).filter(
    (taint) => taint.effect === "PreferNoSchedule" && !relevant.some((t) => tolerates(t, taint)),
  ).length;
}
