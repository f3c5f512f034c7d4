import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { packageRoot } from "../../package-root.ts";
import type { SubmissionResult } from "../result.ts";
import type { GradeOptions } from "../settings.ts";
import type { Grader, SubmissionFolder } from "./grader.ts";
import type { FromWorker, ToWorker } from "./protocol.ts";

/** Grades in a process of its own, so that several cores are used and a process that dies takes only its own work. */
export class WorkerProcess implements Grader {
  private constructor(private readonly child: ChildProcess) {}

  /** @throws Error when the process can't be started or says that it is unusable */
  static async start(options: GradeOptions): Promise<WorkerProcess> {
    const child = fork(join(packageRoot(), "dist/grade-worker.js"), { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const worker = new WorkerProcess(child);
    await worker.ask({ kind: "start", options }, (message) => {
      if (message.kind === "unusable") throw new Error(message.reason);
      return message.kind === "ready" ? true : undefined;
    });
    return worker;
  }

  /** @throws Error when the process dies on the way */
  grade({ name, folder }: SubmissionFolder, onStep: (result: SubmissionResult) => void): Promise<SubmissionResult> {
    return this.ask({ kind: "grade", name, folder }, (message) => {
      if (message.kind === "step") onStep(message.result);
      return message.kind === "done" ? message.result : undefined;
    });
  }

  async close(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.disconnect();
    await ended;
  }

  private ask<T>(request: ToWorker, read: (message: FromWorker) => T | undefined): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const onMessage = (message: FromWorker) => {
        try {
          const answer = read(message);
          if (answer === undefined) return;
          settle();
          resolve(answer);
        } catch (error) {
          settle();
          reject(error);
        }
      };
      const onExit = (code: number | null, signal: string | null) => {
        settle();
        reject(new Error(`a grading process ended (${signal ?? `exit code ${code}`})`));
      };
      const settle = () => {
        this.child.off("message", onMessage).off("exit", onExit);
      };
      this.child.on("message", onMessage).on("exit", onExit);
      this.child.send(request, (error) => error && reject(error));
    });
  }
}
