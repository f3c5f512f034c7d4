import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { writeFileAtomic } from "../storage/write-file.ts";
import type { GradeResult, SubmissionResult } from "./result.ts";

/**
 * What has been graded so far, safe from the death of the job: every step is a line appended to FILE.journal, and FILE
 * itself is written whole at the end. A line that was cut off by a crash is left out on reading.
 */
export class Journal {
  private fd: number | undefined;

  constructor(readonly file: string) {}

  private get path(): string {
    return `${this.file}.journal`;
  }

  /** @param complete false while steps of the submission are still to come */
  add(result: SubmissionResult, complete: boolean): void {
    this.fd ??= openSync(this.path, "a", 0o644);
    writeSync(this.fd, `${JSON.stringify({ complete, result })}\n`);
    if (complete) fsyncSync(this.fd);
  }

  /** Writes the whole result and drops the journal. */
  async finish(result: GradeResult): Promise<void> {
    await writeFileAtomic(this.file, `${JSON.stringify(result, null, 2)}\n`, 0o644);
    this.close();
    rmSync(this.path, { force: true });
  }

  close(): void {
    if (this.fd !== undefined) closeSync(this.fd);
    this.fd = undefined;
  }

  /**
   * The submissions that an earlier run graded to the end, by name: from the finished file, then from its journal.
   * Those with an error of ours are not among them: they are to be tried again.
   */
  readComplete(): Map<string, SubmissionResult> {
    const complete = new Map<string, SubmissionResult>();
    const add = (result: SubmissionResult) => {
      if (result.outcome === "error") complete.delete(result.submission);
      else complete.set(result.submission, result);
    };
    const finished = readIfThere(this.file);
    if (finished !== undefined) for (const result of (JSON.parse(finished) as GradeResult).submissions) add(result);
    for (const line of readIfThere(this.path)?.split("\n") ?? []) {
      const entry = parseLine(line);
      if (entry?.complete) add(entry.result);
    }
    return complete;
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function parseLine(line: string): { complete: boolean; result: SubmissionResult } | undefined {
  try {
    return JSON.parse(line) as { complete: boolean; result: SubmissionResult };
  } catch {
    return undefined;
  }
}
