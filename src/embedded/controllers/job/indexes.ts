import type { Pod } from "../../api/pod.ts";
import type { Job } from "./job.ts";

/** As annotation and as label: the index of an indexed Job's Pod. */
export const completionIndex = "batch.kubernetes.io/job-completion-index";

/** The indexes of `0,2-4` that are below `completions`. */
export function parseIndexes(text: string | undefined, completions: number): Set<number> {
  const indexes = new Set<number>();
  for (const part of (text ?? "").split(",")) {
    const [first, last = first] = part.split("-").map((n) => Number.parseInt(n, 10));
    if (first === undefined || Number.isNaN(first) || Number.isNaN(last)) continue;
    for (let index = first; index <= Math.min(last!, completions - 1); index++) indexes.add(index);
  }
  return indexes;
}

/** `0,2-4`: two in a row are listed, more are a range. */
export function formatIndexes(indexes: ReadonlySet<number>): string {
  const sorted = [...indexes].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length; ) {
    const first = sorted[i]!;
    let last = first;
    while (sorted[i + 1] === last + 1) last = sorted[++i]!;
    i += 1;
    if (last === first) parts.push(`${first}`);
    else parts.push(last === first + 1 ? `${first},${last}` : `${first}-${last}`);
  }
  return parts.join(",");
}

/** The index of a Pod; undefined where it has none that counts. */
export function indexOf(pod: Pod, job: Job): number | undefined {
  const text = pod.metadata.annotations?.[completionIndex];
  if (text === undefined || !/^\d+$/.test(text)) return undefined;
  const index = Number(text);
  return index < (job.spec?.completions ?? 0) ? index : undefined;
}

/** The lowest indexes that are not in `taken`. */
export function firstPending(count: number, completions: number, taken: ReadonlySet<number>): number[] {
  const pending: number[] = [];
  for (let index = 0; index < completions && pending.length < count; index++) {
    if (!taken.has(index)) pending.push(index);
  }
  return pending;
}
