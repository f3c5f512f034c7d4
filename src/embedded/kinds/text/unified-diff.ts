/** Lines a[aStart..] that equal b[bStart..]. */
interface Match {
  a: number;
  b: number;
  size: number;
}

interface Change {
  equal: boolean;
  a: [start: number, end: number];
  b: [start: number, end: number];
}

const contextLines = 3;

/**
 * A unified diff without file headers, three lines of context, matching lines the way Python's difflib (and the Go
 * port that the API server uses) does: longest matching block first; in long texts lines that are too common are no
 * anchors.
 */
export function unifiedDiff(before: string, after: string): string {
  const a = before.split("\n");
  const b = after.split("\n");
  return hunks(changes(a, b))
    .map((hunk) => {
      const first = hunk[0];
      const last = hunk[hunk.length - 1];
      if (!first || !last) return "";
      const header = `@@ -${range(first.a[0], last.a[1])} +${range(first.b[0], last.b[1])} @@\n`;
      return header + hunk.map((change) => lines(change, a, b)).join("");
    })
    .join("");
}

function lines(change: Change, a: string[], b: string[]): string {
  const mark = (prefix: string, part: string[]) => part.map((line) => `${prefix}${line}\n`).join("");
  if (change.equal) return mark(" ", a.slice(...change.a));
  return mark("-", a.slice(...change.a)) + mark("+", b.slice(...change.b));
}

function range(start: number, end: number): string {
  const length = end - start;
  if (length === 1) return String(start + 1);
  return `${length === 0 ? start : start + 1},${length}`;
}

function changes(a: string[], b: string[]): Change[] {
  const out: Change[] = [];
  let i = 0;
  let j = 0;
  for (const match of [...matchingBlocks(a, b), { a: a.length, b: b.length, size: 0 }]) {
    if (i < match.a || j < match.b) out.push({ equal: false, a: [i, match.a], b: [j, match.b] });
    i = match.a + match.size;
    j = match.b + match.size;
    if (match.size > 0) out.push({ equal: true, a: [match.a, i], b: [match.b, j] });
  }
  return out;
}

/** Changes with their context; what lies between two far apart is left out. */
function hunks(all: Change[]): Change[][] {
  const out: Change[][] = [];
  let hunk: Change[] = [];
  for (const [index, change] of all.entries()) {
    if (!change.equal) {
      hunk.push(change);
      continue;
    }
    const { a, b } = change;
    const isFirst = index === 0;
    const isLast = index === all.length - 1;
    const length = a[1] - a[0];
    const head = Math.min(length, contextLines);
    if (isFirst || (!isLast && length > 2 * contextLines)) {
      if (!isFirst) {
        hunk.push({ equal: true, a: [a[0], a[0] + head], b: [b[0], b[0] + head] });
        out.push(hunk);
      }
      hunk = [{ equal: true, a: [a[1] - head, a[1]], b: [b[1] - head, b[1]] }];
    } else if (isLast) {
      hunk.push({ equal: true, a: [a[0], a[0] + head], b: [b[0], b[0] + head] });
    } else {
      hunk.push(change);
    }
  }
  if (hunk.some((change) => !change.equal)) out.push(hunk);
  return out;
}

function matchingBlocks(a: string[], b: string[]): Match[] {
  const positions = linePositions(b);
  const out: Match[] = [];
  const queue: [number, number, number, number][] = [[0, a.length, 0, b.length]];
  for (let next = queue.pop(); next; next = queue.pop()) {
    const [aLow, aHigh, bLow, bHigh] = next;
    const match = longestMatch(a, b, positions, next);
    if (match.size === 0) continue;
    out.push(match);
    queue.push([aLow, match.a, bLow, match.b]);
    queue.push([match.a + match.size, aHigh, match.b + match.size, bHigh]);
  }
  out.sort((x, y) => x.a - y.a);
  return joined(out);
}

function joined(matches: Match[]): Match[] {
  const out: Match[] = [];
  for (const match of matches) {
    const last = out[out.length - 1];
    if (last && last.a + last.size === match.a && last.b + last.size === match.b) last.size += match.size;
    else out.push({ ...match });
  }
  return out;
}

/** Where each line of `b` is; from 200 lines on, lines that make up more than a hundredth are left out. */
function linePositions(b: string[]): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  for (const [j, line] of b.entries()) {
    const found = positions.get(line);
    if (found) found.push(j);
    else positions.set(line, [j]);
  }
  if (b.length >= 200) {
    const most = Math.floor(b.length / 100) + 1;
    for (const [line, found] of positions) if (found.length > most) positions.delete(line);
  }
  return positions;
}

function longestMatch(
  a: string[],
  b: string[],
  positions: Map<string, number[]>,
  [aLow, aHigh, bLow, bHigh]: [number, number, number, number],
): Match {
  let best: Match = { a: aLow, b: bLow, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = aLow; i < aHigh; i++) {
    const next = new Map<number, number>();
    for (const j of positions.get(a[i] ?? "") ?? []) {
      if (j < bLow) continue;
      if (j >= bHigh) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  // The common lines around the block belong to it.
  while (best.a > aLow && best.b > bLow && a[best.a - 1] === b[best.b - 1]) {
    best = { a: best.a - 1, b: best.b - 1, size: best.size + 1 };
  }
  while (best.a + best.size < aHigh && best.b + best.size < bHigh && a[best.a + best.size] === b[best.b + best.size]) {
    best.size += 1;
  }
  return best;
}
