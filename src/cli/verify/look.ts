import { message } from "../../messages/catalogue.ts";
import type { Step } from "../../tasks/task.ts";
import type { StepVerifier } from "../../verify/define-step.ts";
import { runStep, type StepReport } from "../../verify/run-step.ts";
import type { OpenAttempt } from "../attempts.ts";
import type { ClusterSession } from "../cluster-session.ts";
import type { CommandContext } from "../command.ts";
import type { Spinner } from "../output.ts";
import { answers } from "./answers.ts";

export interface Look {
  open: OpenAttempt;
  step: Step;
  verifier: StepVerifier;
  session: ClusterSession;
  /** Milliseconds for controllers that are still working. */
  timeout: number;
  answer: string | undefined;
  line: Spinner;
}

/** Runs the checks of a step once, for the attempt under way. */
export function lookAtStep(look: Look, context: CommandContext): Promise<StepReport> {
  const { open, step, verifier, session, timeout, answer, line } = look;
  const { attempt } = open;
  return runStep({
    verifier,
    client: session.client,
    namespace: attempt.namespace,
    trace: session.cluster.trace,
    since: attempt.steps[step.name]?.beganAt ?? attempt.startedAt,
    baseline: attempt.nodes,
    timeout,
    signal: context.signal,
    answer: answers(answer, step, line, context),
    onProgress: (check, verdict) => {
      const title = step.text.checks[check.id]?.title ?? check.id;
      line.update(verdict === undefined ? title : context.say(message("cli.verify.waiting", { title })));
    },
  });
}
