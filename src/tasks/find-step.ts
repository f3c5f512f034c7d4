import { PracticeError } from "../messages/practice-error.ts";
import type { Step, Task } from "./task.ts";

/**
 * The step a learner means by `2`, `02`, `02-node-selector` or `node-selector`.
 *
 * @throws PracticeError of kind usage that lists the steps
 */
export function findStep(task: Task, wanted: string): Step {
  const found = /^\d+$/.test(wanted)
    ? task.steps[Number(wanted) - 1]
    : task.steps.find(({ name }) => name === wanted || name.replace(/^\d+-/, "") === wanted);
  if (found !== undefined) return found;
  throw new PracticeError(
    "usage",
    "tasks.unknown-step",
    { step: wanted, task: task.name, count: task.steps.length },
    { details: task.steps.map(({ number, name }) => `${number}  ${name}`) },
  );
}
