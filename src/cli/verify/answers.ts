import { message } from "../../messages/catalogue.ts";
import type { Step } from "../../tasks/task.ts";
import type { Check } from "../../verify/define-step.ts";
import { ask } from "../ask.ts";
import type { CommandContext } from "../command.ts";
import type { Spinner } from "../output.ts";

/** Where a check's answer comes from: `--answer` (a number from 1, or the choice's name), else the learner is asked. */
export function answers(given: string | undefined, step: Step, line: Spinner, context: CommandContext) {
  return async ({ id, question }: Check): Promise<string | undefined> => {
    if (question === undefined) return undefined;
    const choice = (typed: string) => {
      const number = /^\d+$/.test(typed) ? Number(typed) : 0;
      return number >= 1 ? (question.choices[number - 1] ?? typed) : typed;
    };
    if (given !== undefined) return choice(given.trim());
    const text = step.text.checks[id]?.question;
    const { out, say } = context;
    if (!out.interactive || text === undefined) return undefined;
    line.done();
    out.note(`${text.text}\n`);
    for (const [index, name] of question.choices.entries()) out.note(`  ${index + 1}  ${text.choices[name] ?? name}`);
    const typed = await ask(`\n${say(message("cli.verify.question", { count: question.choices.length }))}`, context);
    return typed.trim() === "" ? undefined : choice(typed.trim());
  };
}
