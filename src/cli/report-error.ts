import { message } from "../messages/catalogue.ts";
import { PracticeError } from "../messages/practice-error.ts";
import type { Say } from "../messages/translator.ts";
import { exitCodeOf, exitCodes } from "./exit-code.ts";
import type { Output } from "./output.ts";

/** The error document of `-o json` (schema/error.schema.json). */
export interface ErrorDocument {
  error: { exitCode: number; code: string; message: string; hint?: string; details?: string[] };
}

/** Says what went wrong and what to do next, on stderr; with `-o json` as a document on stdout too. */
export function reportError(error: unknown, { out, say, debug }: { out: Output; say: Say; debug: boolean }): void {
  const document = describeError(error, say);
  const { message: text, hint, details = [], exitCode } = document.error;
  const mark = exitCode === exitCodes.interrupted ? "" : out.paint("red", "✘ ", "stderr");
  out.note(`${mark}${text}`);
  for (const line of details) out.note(`    ${line}`);
  if (hint !== undefined) out.note(out.paint("dim", `→ ${hint}`, "stderr"));
  if (debug) for (let e = error; e instanceof Error; e = e.cause) out.note(e.stack ?? String(e));
  if (out.format === "json") out.result(document, () => "");
}

export function describeError(error: unknown, say: Say): ErrorDocument {
  const exitCode = exitCodeOf(error);
  if (error instanceof PracticeError) {
    const { details } = error.options;
    return {
      error: {
        exitCode,
        code: error.text.key,
        message: say(error.text),
        ...(error.hint === undefined ? {} : { hint: say(error.hint) }),
        ...(details === undefined ? {} : { details }),
      },
    };
  }
  const key = exitCode === exitCodes.interrupted ? "cli.interrupted" : "cli.bug";
  const reason = error instanceof Error ? error.message : String(error);
  return {
    error: {
      exitCode,
      code: key,
      message: say(message(key, { reason })),
      hint: say(message(key === "cli.bug" ? "cli.bug.hint" : "cli.interrupted.hint")),
    },
  };
}
