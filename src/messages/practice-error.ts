import { hasMessage, type Message, type MessageKey, type MessageValues, message } from "./catalogue.ts";

/**
 * Whose fault an error is; decides the exit code (design.md section 3).
 * usage: wrong arguments or an invalid task (2). environment: no cluster, lost connection, time-out of ours (3).
 * interrupted: Ctrl-C (130).
 */
export type ErrorKind = "usage" | "environment" | "interrupted";

/** An error with a sentence for the learner, and, under the same key plus `.hint`, what to do next. */
export class PracticeError extends Error {
  readonly text: Message;
  readonly hint: Message | undefined;

  /** @param details lines printed as they are under the message (a tool's own output, a file:line list) */
  constructor(
    readonly kind: ErrorKind,
    key: MessageKey,
    values?: MessageValues,
    readonly options: { cause?: unknown; details?: string[] } = {},
  ) {
    super(`${key} ${JSON.stringify(values ?? {})}`, { cause: options.cause });
    this.name = "PracticeError";
    this.text = message(key, values);
    const hintKey = `${key}.hint`;
    this.hint = hasMessage(hintKey) ? message(hintKey, values) : undefined;
  }
}
