import { newStepProgress } from "../../attempts/attempt.ts";
import type { Step, Task } from "../../tasks/task.ts";
import type { StepReport } from "../../verify/run-step.ts";
import { attemptsOf, withLock } from "../attempts.ts";
import type { CommandContext } from "../command.ts";

export interface Recorded {
  /** The step that begins now. */
  next: Step | undefined;
  /** The last step has passed. */
  finished: boolean;
  passedBefore: boolean;
}

/**
 * Writes what a verification came to. The attempt is read again under the lock, since another command may have changed
 * it while the checks ran.
 */
export function record(
  { task, step, report }: { task: Task; step: Step; report: StepReport },
  context: CommandContext,
): Promise<Recorded> {
  return withLock(context, `verify ${task.name}`, async () => {
    const attempts = attemptsOf(context);
    const attempt = await attempts.read(task.name);
    if (attempt === undefined || attempt.state === "stopped")
      return { next: undefined, finished: false, passedBefore: false };
    const now = Date.now();
    const progress = attempt.steps[step.name] ?? newStepProgress(attempt.startedAt);
    const passedBefore = progress.passedAt !== undefined;
    const steps = { ...attempt.steps };
    if (report.outcome !== "passed") {
      if (report.outcome !== "error") steps[step.name] = { ...progress, failures: progress.failures + 1 };
      await attempts.write({ ...attempt, steps });
      return { next: undefined, finished: attempt.state === "finished", passedBefore };
    }
    steps[step.name] = { ...progress, passedAt: progress.passedAt ?? now };
    const isCurrent = attempt.currentStep === step.name && attempt.state === "under-way";
    const next = isCurrent ? task.steps[step.number] : undefined;
    const finished = attempt.state === "finished" || (isCurrent && next === undefined);
    if (next !== undefined) steps[next.name] = newStepProgress(now);
    await attempts.write({
      ...attempt,
      steps,
      currentStep: next?.name ?? attempt.currentStep,
      state: finished ? "finished" : attempt.state,
    });
    return { next, finished, passedBefore };
  });
}
