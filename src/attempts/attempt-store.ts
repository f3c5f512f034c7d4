import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Attempt } from "./attempt.ts";
import { fileError, readState, writeState } from "./state-file.ts";

/** Told of a file that was damaged and where it is now. */
export type OnDamaged = (file: string) => void;

/** A learner's attempts under the home folder: attempts/TASK.json, and which one is active in active.json. */
export class AttemptStore {
  readonly #folder: string;
  readonly #active: string;

  constructor(
    home: string,
    private readonly onDamaged: OnDamaged = () => {},
  ) {
    this.#folder = join(home, "attempts");
    this.#active = join(home, "active.json");
  }

  async read(task: string): Promise<Attempt | undefined> {
    const { value, damaged } = await readState(this.#path(task), isAttempt);
    if (damaged !== undefined) this.onDamaged(damaged);
    return value;
  }

  async write(attempt: Attempt): Promise<void> {
    await writeState(this.#path(attempt.task), attempt);
  }

  /** Every attempt there is a file of. */
  async list(): Promise<Attempt[]> {
    const names = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw fileError(error, this.#folder);
    });
    const tasks = names.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length));
    const attempts = await Promise.all(tasks.map((task) => this.read(task)));
    return attempts.filter((attempt) => attempt !== undefined);
  }

  /** The name of the task that commands without one mean. */
  async active(): Promise<string | undefined> {
    const { value, damaged } = await readState(this.#active, isActive);
    if (damaged !== undefined) this.onDamaged(damaged);
    return value?.task;
  }

  async setActive(task: string | undefined): Promise<void> {
    if (task !== undefined) return writeState(this.#active, { task });
    await rm(this.#active, { force: true }).catch((error: unknown) => {
      throw fileError(error, this.#active);
    });
  }

  #path(task: string): string {
    return join(this.#folder, `${task}.json`);
  }
}

function isActive(value: unknown): value is { task: string } {
  return typeof (value as { task?: unknown }).task === "string";
}

function isAttempt(value: unknown): value is Attempt {
  const attempt = value as Partial<Attempt>;
  return (
    typeof attempt.task === "string" &&
    typeof attempt.taskHash === "string" &&
    typeof attempt.cluster === "string" &&
    typeof attempt.namespace === "string" &&
    ["preparing", "under-way", "finished", "stopped"].includes(attempt.state ?? "") &&
    Number.isFinite(attempt.startedAt) &&
    typeof attempt.currentStep === "string" &&
    typeof attempt.steps === "object" &&
    attempt.steps !== null &&
    Object.values(attempt.steps).every((step) => Number.isFinite(step?.beganAt)) &&
    Array.isArray(attempt.nodes)
  );
}
