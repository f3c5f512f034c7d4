import { message } from "../../messages/catalogue.ts";
import { loadVerifier } from "../../tasks/verifier-module.ts";
import { describeStep } from "../../verify/feedback.ts";
import { waitForChange } from "../../verify/settle.ts";
import { ask } from "../ask.ts";
import { openAttempt } from "../attempts.ts";
import type { ClusterSession } from "../cluster-session.ts";
import type { CommandContext } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import { stepDocument } from "../step-view.ts";
import { lookAtStep } from "./look.ts";
import { record } from "./record.ts";
import { renderChecks, renderVerify, type VerifyDocument } from "./render.ts";

const silent = { update() {}, done() {}, fail() {} };

/**
 * `verify --watch`: looks at the current step again with every change in the cluster, shows its checks turning, and ends
 * when it passes. Where a person is there, Enter goes on to the next step.
 */
export async function watchStep(
  task: string | undefined,
  { session, answer }: { session: ClusterSession; answer: string | undefined },
  context: CommandContext,
): Promise<ExitCode> {
  const { globals, language, out, say, signal } = context;
  for (;;) {
    const open = await openAttempt(task, context);
    const { step } = open;
    const verifier = await loadVerifier(step, { home: globals.home });
    out.note(out.paint("dim", say(message("cli.verify.watching", { title: step.text.title })), "stderr"));
    let shown = "";
    for (;;) {
      signal.throwIfAborted();
      const report = await lookAtStep({ open, step, verifier, session, timeout: 0, answer, line: silent }, context);
      const checks = describeStep(report, step.text, { say, language });
      if (report.outcome === "passed") {
        const { next, finished, passedBefore } = await record({ task: open.task, step, report }, context);
        const document: VerifyDocument = {
          task: open.task.name,
          ...stepDocument(open.task, step),
          outcome: report.outcome,
          passedBefore,
          checks,
          finished,
          ...(next === undefined ? {} : { next: stepDocument(open.task, next) }),
        };
        out.result(document, () => renderVerify(document, { task: open.task, next }, context));
        if (next === undefined || !out.interactive) return exitCodes.ok;
        await ask(say(message("cli.verify.enter")), context);
        break;
      }
      const text = renderChecks(checks, context);
      if (text !== shown && out.format === "text") out.note(`${redraw(shown, out.interactive)}${text}`);
      shown = text;
      await waitForChange(session.client, report.reads, { deadline: Number.MAX_SAFE_INTEGER, signal });
    }
  }
}

/** On a terminal the checks are drawn over what was there; elsewhere each state follows the one before it. */
function redraw(shown: string, interactive: boolean): string {
  if (shown === "" || !interactive) return "";
  return `\u001b[${shown.split("\n").length}A\u001b[0J`;
}
