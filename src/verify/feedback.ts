import { hasMessage, type Language, message } from "../messages/catalogue.ts";
import { formatMessage } from "../messages/format.ts";
import type { Say } from "../messages/translator.ts";
import type { CheckReport, Outcome, StepReport } from "./run-step.ts";
import type { CheckText, FailureText, StepText } from "./step-text.ts";
import type { Values } from "./verdict.ts";

/** What a learner is told of one check, in words. */
export interface CheckFeedback {
  id: string;
  title: string;
  outcome: Outcome;
  points: { earned: number; possible: number };
  /** The verdict's code, for programs. */
  code?: string;
  /** True when the deadline came while the controllers were still working. */
  pending?: boolean;
  message?: string;
  /** Right, but worth a word. */
  remark?: string;
  expected?: string;
  observed?: string;
  why?: string;
  command?: string;
  events?: string[];
  /** The question that takes the place of evidence, while it has no right answer. */
  question?: { text: string; choices: string[] };
}

/** Puts a report into the step's words. A text that is missing shows the code and its values rather than nothing. */
export function describeStep(
  report: StepReport,
  text: StepText,
  speech: { say: Say; language: Language },
): CheckFeedback[] {
  const titles = new Map(Object.entries(text.checks).map(([id, check]) => [id, check.title]));
  return report.checks.map((check) => {
    const own = text.checks[check.id] ?? { title: check.id, failures: {}, remarks: {} };
    const base = { id: check.id, title: own.title, outcome: check.outcome, points: check.points };
    const { say } = speech;
    if (check.outcome === "blocked") {
      const title = titles.get(check.blockedBy!) ?? check.blockedBy!;
      return { ...base, message: say(message("verify.blocked", { title })) };
    }
    if (check.outcome === "error") {
      return { ...base, message: say(message("verify.broken", { reason: check.error })) };
    }
    return { ...base, ...describeVerdict(check, own, speech) };
  });
}

function describeVerdict(
  check: CheckReport,
  text: CheckText,
  { say, language }: { say: Say; language: Language },
): Partial<CheckFeedback> {
  const verdict = check.verdict!;
  const fill = (t: string | undefined, values: Values) =>
    t === undefined ? undefined : formatMessage(language, t, values);
  switch (verdict.verdict) {
    case "pass":
      return verdict.remark === undefined
        ? {}
        : { remark: fill(text.remarks[verdict.remark] ?? verdict.remark, verdict.values), code: verdict.remark };
    case "unknown": {
      if (check.outcome === "passed") return {};
      const answer = check.answer;
      return {
        code: answer === undefined ? "unanswered" : "wrong-answer",
        message: say(answer === undefined ? message("verify.unanswered") : message("verify.wrong-answer", { answer })),
        question: describeQuestion(text),
      };
    }
    default: {
      const { code, values } = verdict;
      const failure = text.failures[code] ?? readyMade(code, values, say);
      return {
        code,
        ...(verdict.verdict === "pending" ? { pending: true } : {}),
        message: fill(failure.message, values),
        expected: fill(failure.expected, values),
        observed: fill(failure.observed, values),
        why: fill(failure.why, values),
        command: fill(failure.command, values),
        ...(check.events.length === 0 ? {} : { events: check.events }),
      };
    }
  }
}

export function describeQuestion(text: CheckText): { text: string; choices: string[] } | undefined {
  return text.question && { text: text.question.text, choices: Object.values(text.question.choices) };
}

/** The runner's own words for `missing`, `controller` and `rollout`. */
function readyMade(code: string, values: Values, say: Say): FailureText {
  const key = `verify.${code}`;
  if (!hasMessage(key)) return { message: say(message("verify.no-text", { code, values: JSON.stringify(values) })) };
  const part = (name: string) => {
    const partKey = `${key}.${name}`;
    return hasMessage(partKey) ? say(message(partKey, values)) : undefined;
  };
  return {
    message: say(message(key, values)),
    expected: part("expected"),
    observed: part("observed"),
    command: part("command"),
  };
}
