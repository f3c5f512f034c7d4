import { message } from "../../messages/catalogue.ts";
import { PracticeError } from "../../messages/practice-error.ts";
import { findStep } from "../../tasks/find-step.ts";
import { loadVerifier } from "../../tasks/verifier-module.ts";
import { describeStep } from "../../verify/feedback.ts";
import { openAttempt } from "../attempts.ts";
import { requireRunning, warnIfElsewhere } from "../cluster-session.ts";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { stepDocument } from "../step-view.ts";
import { lookAtStep } from "./look.ts";
import { record } from "./record.ts";
import { renderVerify, type VerifyDocument } from "./render.ts";
import { watchStep } from "./watch.ts";

interface Options {
  task?: string;
  timeout: string;
  step?: string;
  answer?: string;
  watch?: boolean;
}

/** `verify [TASK]`: checks the current step; when it passes, the next one is explained. */
export default defineCommand({
  options: (args, say) =>
    args
      .positional("task", { type: "string", describe: say(message("cli.argument.task")) })
      .option("timeout", {
        type: "string",
        default: "60",
        requiresArg: true,
        describe: say(message("cli.verify.timeout")),
      })
      .option("step", { type: "string", requiresArg: true, describe: say(message("cli.verify.step")) })
      .option("watch", { alias: "w", type: "boolean", conflicts: "step", describe: say(message("cli.verify.watch")) })
      .option("answer", { type: "string", requiresArg: true, describe: say(message("cli.verify.answer")) }),
  async run(options: Options, context) {
    const { globals, language, out, say } = context;
    const timeout = Number(options.timeout) * 1000;
    if (!(timeout > 0 && Number.isFinite(timeout))) {
      throw new PracticeError("usage", "cli.verify.bad-timeout", { value: options.timeout });
    }
    const { task, attempt, step: current } = await openAttempt(options.task, context);
    const step = options.step === undefined ? current : findStep(task, options.step);
    if (step.number > current.number) {
      throw new PracticeError("usage", "cli.verify.future-step", { step: step.number, current: current.number });
    }
    const [{ cluster, client }, verifier] = await Promise.all([
      requireRunning(attempt, context),
      loadVerifier(step, { home: globals.home }),
    ]);
    const line = await out.spinner(step.text.title);
    try {
      await warnIfElsewhere(cluster, context);
      const session = { cluster, client };
      if (options.watch === true) {
        line.done();
        return await watchStep(options.task, { session, answer: options.answer }, context);
      }
      const open = { task, attempt, step: current };
      const report = await lookAtStep(
        { open, step, verifier, session, timeout, answer: options.answer, line },
        context,
      );
      line.done();
      const { next, finished, passedBefore } = await record({ task, step, report }, context);
      const document: VerifyDocument = {
        task: task.name,
        ...stepDocument(task, step),
        outcome: report.outcome,
        passedBefore,
        checks: describeStep(report, step.text, { say, language }),
        finished,
        ...(next === undefined ? {} : { next: stepDocument(task, next) }),
      };
      out.result(document, () => renderVerify(document, { task, next }, context));
      if (report.outcome === "passed") return exitCodes.ok;
      return report.outcome === "error" ? exitCodes.environment : exitCodes.notYet;
    } finally {
      line.done();
      client.close();
    }
  },
});
