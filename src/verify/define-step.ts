import type { KubeClient } from "../client/index.ts";
import type { LearnerTrace } from "./learner-trace.ts";
import type { ClusterReader } from "./reader/cluster-reader.ts";
import type { Verdict } from "./verdict.ts";

/** What a check looks at. */
export interface CheckContext {
  cluster: ClusterReader;
  trace: LearnerTrace;
  /** The task's namespace. */
  namespace: string;
  /** When the step began, milliseconds since the epoch. */
  since: number;
  signal: AbortSignal;
  /** Our own connection, for a check that needs more than the reader gives. */
  client: KubeClient;
  /** The nodes as they were when the task began; undefined where that was not recorded. */
  baseline: readonly NodeBaseline[] | undefined;
}

/** What a learner may change of a node, as it was when the task began. */
export interface NodeBaseline {
  name: string;
  labels: Record<string, string>;
  taints: { key: string; value?: string; effect: string }[];
  unschedulable: boolean;
}

/** Asked where a check says `unknown`. Its words are `checks.ID.question` in step.LANG.md. */
export interface Question {
  /** Names of the choices in the order they are shown. */
  choices: readonly string[];
  /** The right one. */
  answer: string;
}

export interface Check {
  /** Lower case words joined by `-`; the key of its texts. */
  id: string;
  /** Ids of earlier checks without which this one makes no sense: it is blocked while they don't pass. */
  needs?: readonly string[];
  /** Default 1. */
  points?: number;
  question?: Question;
  run(context: CheckContext): Promise<Verdict> | Verdict;
}

export interface StepVerifier {
  checks: readonly Check[];
}

/**
 * The verifier of a step: `export default defineStep({ checks: [...] })`.
 *
 * @throws TypeError when there is no check, an id is missing, doubled or needed before it comes
 */
export function defineStep(step: StepVerifier): StepVerifier {
  if (!Array.isArray(step?.checks) || step.checks.length === 0) throw new TypeError("a step needs at least one check");
  const seen = new Set<string>();
  for (const check of step.checks) {
    if (typeof check?.id !== "string" || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(check.id)) {
      throw new TypeError(`a check's id must be lower case words joined by "-": ${JSON.stringify(check?.id)}`);
    }
    if (typeof check.run !== "function") throw new TypeError(`check ${check.id} has no run()`);
    if (seen.has(check.id)) throw new TypeError(`two checks are called ${check.id}`);
    for (const need of check.needs ?? []) {
      if (!seen.has(need)) throw new TypeError(`check ${check.id} needs ${need}, which does not come before it`);
    }
    if (check.question !== undefined && !check.question.choices.includes(check.question.answer)) {
      throw new TypeError(`check ${check.id}: the question's answer is not among its choices`);
    }
    if (check.points !== undefined && !(Number.isFinite(check.points) && check.points >= 0)) {
      throw new TypeError(`check ${check.id}: points must be a number of 0 or more`);
    }
    seen.add(check.id);
  }
  return step;
}
