import { message } from "../messages/catalogue.ts";
import type { Step, Task } from "../tasks/task.ts";
import type { CommandContext } from "./command.ts";
import { renderMarkdown } from "./markdown.ts";

/** A step as programs get it. */
export interface StepDocument {
  step: string;
  number: number;
  of: number;
  title: string;
  /** Markdown. */
  instructions: string;
}

export function stepDocument(task: Task, step: Step): StepDocument {
  const { name, number, text } = step;
  return { step: name, number, of: task.steps.length, title: text.title, instructions: text.body };
}

/** A step's heading and instructions. */
export function renderStep(task: Task, step: Step, { out, say }: CommandContext): string {
  const place = say(
    message("cli.status.step-of", { step: step.number, steps: task.steps.length, title: step.text.title }),
  );
  return `${out.paint("bold", place)}\n\n${renderMarkdown(step.text.body, { out })}\n`;
}
