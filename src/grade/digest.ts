import { createHash } from "node:crypto";
import type { GradeResult } from "./result.ts";

/**
 * sha256 (hex) over a result without its own digest, keys in order. It shows that a report was not edited by accident or
 * by hand, not who made it: there is no secret on a learner's machine.
 */
export function digestOf(result: GradeResult): string {
  const { digest: _, ...rest } = result;
  return createHash("sha256").update(sorted(rest)).digest("hex");
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, v: unknown) =>
    typeof v === "object" && v !== null && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
      : v,
  );
}
