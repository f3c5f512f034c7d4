import type { Progress } from "../../clusters/provider.ts";
import type { Say } from "../../messages/translator.ts";
import type { Output, Spinner } from "../output.ts";

const BAR_WIDTH = 20;

/** Shows a start-up's phases on one line while somebody watches; a bar where it is known how far things are. */
export class ProgressLine implements Progress {
  #spinner: Promise<Spinner> | undefined;

  constructor(
    private readonly out: Output,
    private readonly say: Say,
  ) {}

  phase(...[text, fraction]: Parameters<Progress["phase"]>): void {
    const line = `${fraction === undefined ? "" : `${bar(fraction)} `}${this.say(text)} …`;
    if (this.#spinner === undefined) this.#spinner = this.out.spinner(line);
    else void this.#spinner.then((spinner) => spinner.update(line));
  }

  async end(): Promise<void> {
    (await this.#spinner)?.done();
    this.#spinner = undefined;
  }
}

function bar(fraction: number): string {
  const full = Math.round(Math.min(1, Math.max(0, fraction)) * BAR_WIDTH);
  return `${"█".repeat(full)}${"░".repeat(BAR_WIDTH - full)}`;
}

/** Runs `work` with a progress line that is gone when it ends, however it ends. */
export async function withProgress<T>(out: Output, say: Say, work: (progress: Progress) => Promise<T>): Promise<T> {
  const line = new ProgressLine(out, say);
  try {
    return await work(line);
  } finally {
    await line.end();
  }
}
