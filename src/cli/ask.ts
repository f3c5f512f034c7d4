import { createInterface } from "node:readline/promises";
import type { CommandContext } from "./command.ts";

/** A line typed by the learner; "" at the end of input. Ask only where `out.interactive`. Ctrl-C ends the command. */
export async function ask(question: string, { signal }: CommandContext): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
  const interrupted = new Promise<never>((_, reject) => {
    terminal.once("SIGINT", () => {
      const error = new Error("interrupted");
      error.name = "AbortError";
      reject(error);
    });
  });
  try {
    return await Promise.race([terminal.question(question, { signal }), ended, interrupted]);
  } finally {
    terminal.close();
  }
}
