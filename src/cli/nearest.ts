/** The names a learner may have meant by `typed`: at most three, nearest first, none farther than a third of its length. */
export function nearest(typed: string, names: readonly string[]): string[] {
  const limit = Math.max(2, Math.floor(typed.length / 3));
  return names
    .map((name) => ({
      name,
      distance:
        name.startsWith(typed) || name.endsWith(typed) ? 1 : editDistance(typed.toLowerCase(), name.toLowerCase()),
    }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Levenshtein's distance, with a swap of two neighbours counted as one edit (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, beforeLast[j - 2]! + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
