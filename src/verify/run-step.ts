import type { KubeClient } from "../client/index.ts";
import type { Trace } from "../clusters/trace.ts";
import { PracticeError } from "../messages/practice-error.ts";
import type { Check, CheckContext, NodeBaseline, StepVerifier } from "./define-step.ts";
import { learnerTrace } from "./learner-trace.ts";
import { ClusterReader, type Read } from "./reader/cluster-reader.ts";
import { waitForChange } from "./settle.ts";
import { type ObjectReference, unknown, type Verdict, VerdictReached } from "./verdict.ts";

/**
 * passed, failed: as the check says; still pending at the deadline, or a question without the right answer, is failed.
 * blocked: a check it needs did not pass. error: ours (the check itself threw).
 */
export type Outcome = "passed" | "failed" | "blocked" | "error";

export interface CheckReport {
  id: string;
  outcome: Outcome;
  points: { earned: number; possible: number };
  /** The last verdict; absent when blocked or broken. */
  verdict?: Verdict;
  /** The check that has to pass first. */
  blockedBy?: string;
  /** Why the check broke. */
  error?: string;
  /** What was answered where the check asked its question. */
  answer?: string;
  /** The latest events of the object a failure is about, oldest first, a line each. */
  events: string[];
}

export interface StepReport {
  outcome: Outcome;
  checks: CheckReport[];
  /** The collections that the checks looked at: when one changes, the step may come out differently. */
  reads: Read[];
}

export interface StepRun {
  verifier: StepVerifier;
  client: KubeClient;
  namespace: string;
  /** Absent where the cluster keeps no audit log. */
  trace: Trace | undefined;
  /** When the step began, milliseconds since the epoch. */
  since: number;
  /** The nodes as they were when the task began. */
  baseline?: readonly NodeBaseline[];
  /** How long controllers may still work, milliseconds. */
  timeout: number;
  signal: AbortSignal;
  /** The answer to a check's question; undefined when there is none. */
  answer?(check: Check): Promise<string | undefined>;
  /** Told when a check is looked at, and again each time it is still pending. */
  onProgress?(check: Check, verdict: Verdict | undefined): void;
}

/** How often a step is looked at again from the start because the cluster moved while a later check was waited for. */
const maxRounds = 3;

/**
 * Runs a step's checks in order. A `fail` counts at once, `pending` is asked again whenever something the check read
 * changes, until the deadline. Where one had to wait, the earlier ones are looked at again: all must hold together.
 *
 * @throws PracticeError of kind environment when the cluster is lost; the signal's reason when it aborts
 */
export async function runStep(run: StepRun): Promise<StepReport> {
  const deadline = Date.now() + run.timeout;
  for (let round = 1; ; round++) {
    const reports: CheckReport[] = [];
    const reads: Read[] = [];
    let waited = false;
    for (const check of run.verifier.checks) {
      const blockedBy = check.needs?.find((id) => reports.some((r) => r.id === id && r.outcome !== "passed"));
      if (blockedBy !== undefined) {
        reports.push({ id: check.id, outcome: "blocked", points: points(check, false), blockedBy, events: [] });
        continue;
      }
      const { report, hadToWait, read } = await runCheck(check, run, deadline);
      reports.push(report);
      reads.push(...read);
      waited ||= hadToWait;
    }
    const outcome = combine(reports);
    if (!(waited && outcome === "passed" && round < maxRounds)) return { outcome, checks: reports, reads };
  }
}

async function runCheck(
  check: Check,
  run: StepRun,
  deadline: number,
): Promise<{ report: CheckReport; hadToWait: boolean; read: readonly Read[] }> {
  let hadToWait = false;
  run.onProgress?.(check, undefined);
  for (;;) {
    run.signal.throwIfAborted();
    const reader = new ClusterReader(run.client, run.namespace, run.signal);
    let verdict: Verdict;
    try {
      verdict = await ask(check, { reader, run });
      // What was read at slightly different moments may never have been true together: a failure counts when the
      // same objects are still there after it.
      if (verdict.verdict === "fail" && !(await unchanged(reader, run))) continue;
    } catch (error) {
      if (run.signal.aborted || error instanceof PracticeError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      return {
        report: { id: check.id, outcome: "error", points: points(check, false), error: reason, events: [] },
        hadToWait,
        read: reader.reads,
      };
    }
    if (verdict.verdict === "pending" && Date.now() < deadline) {
      run.onProgress?.(check, verdict);
      hadToWait = true;
      await waitForChange(run.client, reader.reads, { deadline, signal: run.signal });
      continue;
    }
    return { report: await conclude(check, verdict, reader, run), hadToWait, read: reader.reads };
  }
}

async function ask(check: Check, { reader, run }: { reader: ClusterReader; run: StepRun }): Promise<Verdict> {
  const context: CheckContext = {
    cluster: reader,
    client: run.client,
    trace: learnerTrace(run.trace, run),
    namespace: run.namespace,
    since: run.since,
    signal: run.signal,
    baseline: run.baseline,
  };
  try {
    return await check.run(context);
  } catch (error) {
    if (error instanceof VerdictReached) return error.reached;
    throw error;
  }
}

async function unchanged(reader: ClusterReader, run: StepRun): Promise<boolean> {
  const again = new ClusterReader(run.client, run.namespace, run.signal);
  const states = await Promise.all(reader.reads.map((read) => again.fingerprint(read)));
  return states.every((state, i) => state === reader.reads[i]!.fingerprint);
}

async function conclude(check: Check, verdict: Verdict, reader: ClusterReader, run: StepRun): Promise<CheckReport> {
  const base = { id: check.id, verdict, events: [] as string[] };
  if (verdict.verdict === "pass") return { ...base, outcome: "passed", points: points(check, true) };
  if (verdict.verdict === "unknown") {
    if (check.question === undefined) {
      const error = "no evidence on this cluster, and the check has no question";
      return { ...base, outcome: "error", points: points(check, false), error };
    }
    const answer = await run.answer?.(check);
    const right = answer === check.question.answer;
    return {
      ...base,
      outcome: right ? "passed" : "failed",
      points: points(check, right),
      answer,
      verdict: unknown(verdict.values),
    };
  }
  const about = verdict.about ?? reader.about;
  const events = about === undefined ? [] : await latestEvents(reader, about);
  return { ...base, outcome: "failed", points: points(check, false), events };
}

/** Evidence only: where events can't be read, the failure stands without them. */
async function latestEvents(reader: ClusterReader, about: ObjectReference): Promise<string[]> {
  try {
    const events = await reader.events(about);
    return events.slice(-3).map((e) => `${e.type} ${e.reason}: ${(e.message ?? "").trim()}`);
  } catch {
    return [];
  }
}

function points(check: Check, earned: boolean): CheckReport["points"] {
  const possible = check.points ?? 1;
  return { earned: earned ? possible : 0, possible };
}

function combine(reports: readonly CheckReport[]): Outcome {
  for (const worst of ["error", "failed", "blocked"] as const) {
    if (reports.some((r) => r.outcome === worst)) return worst;
  }
  return "passed";
}
