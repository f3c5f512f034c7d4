import { message } from "../../messages/catalogue.ts";
import type { Step, Task } from "../../tasks/task.ts";
import type { CheckFeedback } from "../../verify/feedback.ts";
import type { CommandContext } from "../command.ts";
import { wrap } from "../markdown.ts";
import type { Output } from "../output.ts";
import { renderStep, type StepDocument } from "../step-view.ts";

/** `verify -o json` (schema/verify.schema.json). */
export interface VerifyDocument extends StepDocument {
  task: string;
  outcome: CheckFeedback["outcome"];
  /** True when the step had passed in an earlier run. */
  passedBefore: boolean;
  checks: CheckFeedback[];
  /** True when every step of the task has passed. */
  finished: boolean;
  /** The step that begins now. */
  next?: StepDocument;
}

const marks = { passed: "✔", failed: "✘", blocked: "–", error: "!" } as const;
const colors = { passed: "green", failed: "red", blocked: "dim", error: "yellow" } as const;

export function renderVerify(
  document: VerifyDocument,
  { task, next }: { task: Task; next: Step | undefined },
  context: CommandContext,
): string {
  const { out, say } = context;
  const lines = [renderChecks(document.checks, context)];
  const place = { step: document.number, steps: document.of };
  lines.push("");
  if (document.outcome === "passed") {
    const key = document.passedBefore ? "cli.verify.passed-again" : "cli.verify.passed";
    lines.push(out.paint("green", say(message(key, place))));
    if (next !== undefined) lines.push("", renderStep(task, next, context));
    else if (document.finished) {
      lines.push(say(message("cli.verify.finished", { task: task.name })), say(message("cli.verify.finished.next")));
    }
  } else {
    const failed = document.checks.filter(({ outcome }) => outcome !== "passed").length;
    lines.push(say(message("cli.verify.not-yet", { failed, total: document.checks.length })));
    if (document.outcome !== "error") lines.push(out.paint("dim", say(message("cli.verify.hint-offer"))));
  }
  return lines.join("\n");
}

/** The checks of a step, with the card of each that did not pass. */
export function renderChecks(checks: readonly CheckFeedback[], context: CommandContext): string {
  return checks.flatMap((check) => renderCheck(check, context)).join("\n");
}

function renderCheck(check: CheckFeedback, { out, say }: CommandContext): string[] {
  const lines = [`${out.paint(colors[check.outcome], marks[check.outcome])} ${check.title}`];
  if (check.outcome === "passed") {
    if (check.remark !== undefined) lines.push(...indented(check.remark, out));
    return lines;
  }
  if (check.message !== undefined) lines.push(...indented(check.message, out));
  const facts = (["expected", "observed", "why", "command"] as const).filter((name) => check[name] !== undefined);
  const label = (name: "expected" | "observed" | "why" | "command" | "events") => say(message(`cli.card.${name}`));
  const wide = Math.max(...(["expected", "observed", "why", "command", "events"] as const).map((n) => label(n).length));
  for (const name of facts) {
    const text = check[name]!;
    const parts = name === "command" ? [text] : wrap(text, out.width - wide - 6);
    for (const [index, part] of parts.entries()) {
      const head = out.paint("dim", (index === 0 ? label(name) : "").padEnd(wide));
      lines.push(`    ${head}  ${name === "command" ? out.paint("cyan", part) : part}`);
    }
  }
  for (const [index, event] of (check.events ?? []).entries()) {
    lines.push(`    ${out.paint("dim", (index === 0 ? label("events") : "").padEnd(wide))}  ${event}`);
  }
  if (check.question !== undefined) {
    lines.push("", ...indented(check.question.text, out));
    for (const [index, choice] of check.question.choices.entries()) lines.push(`      ${index + 1}  ${choice}`);
  }
  return lines;
}

function indented(text: string, out: Output): string[] {
  return wrap(text, out.width - 4).map((line) => `    ${line}`);
}
