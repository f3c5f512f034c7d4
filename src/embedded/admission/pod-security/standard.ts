import type { ObjectMeta } from "../../api/object.ts";
import { baseline } from "./baseline.ts";
import { type Check, type PodSpec, subjectOf, type Violation } from "./check.ts";
import { restricted } from "./restricted.ts";

export const levels = ["privileged", "baseline", "restricted"] as const;
export type Level = (typeof levels)[number];

/** A standard and its version: `restricted:latest`, `baseline:v1.30`. */
export interface Standard {
  level: Level;
  version: string;
}

/** The newest version of the standards that this server has rules of. */
const latest = 36;

export function standardText({ level, version }: Standard): string {
  return `${level}:${version}`;
}

/** What a Pod does against a standard, Baseline's rules first. */
export function violations(
  standard: Standard,
  metadata: ObjectMeta | undefined,
  spec: PodSpec,
): NonNullable<Violation>[] {
  const minor = standard.version === "latest" ? latest : Math.min(latest, Number(standard.version.slice("v1.".length)));
  const subject = subjectOf(metadata, spec, minor);
  return rulesOf(standard.level, minor).flatMap((check) => check.find(subject) ?? []);
}

function rulesOf(level: Level, minor: number): Check[] {
  if (level === "privileged") return [];
  const inForce = (rules: Record<string, Check>) => Object.entries(rules).filter(([, check]) => check.since <= minor);
  const more = level === "restricted" ? inForce(restricted) : [];
  const replaced = more.flatMap(([, check]) => check.instead ?? []);
  const basic = inForce(baseline).filter(([id]) => !replaced.includes(id));
  return [...basic, ...more].map(([, check]) => check);
}
