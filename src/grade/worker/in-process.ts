import { PracticeError } from "../../messages/practice-error.ts";
import { loadTranslator, type Say } from "../../messages/translator.ts";
import type { ClusterSource } from "../cluster-source.ts";
import { gradeSubmission } from "../grade-submission.ts";
import type { GradedTask, GradeSettings } from "../grade-task.ts";
import { chooseIsolation } from "../isolation/choose.ts";
import type { Isolation } from "../isolation/isolation.ts";
import type { SubmissionResult } from "../result.ts";
import { type GradeOptions, loadGradedTasks } from "../settings.ts";
import type { Grader, SubmissionFolder } from "./grader.ts";

/** Grades in this process. */
export class InProcessGrader implements Grader {
  private constructor(
    private readonly tasks: readonly GradedTask[],
    private readonly settings: GradeSettings,
    private readonly isolation: Isolation,
  ) {}

  /** @throws PracticeError when a task is invalid, or the isolation or the kind of cluster can't be had here */
  static async start(options: GradeOptions, signal: AbortSignal): Promise<InProcessGrader> {
    const tasks = await loadGradedTasks(options);
    const isolation = await chooseIsolation(options.isolation, options.kubectl);
    const { limits, settle, stopAtFirst, kubectl, language } = options;
    const say = await loadTranslator(language);
    const source = await clusterSource(options, say);
    return new InProcessGrader(
      tasks,
      { source, isolation, limits, settle, stopAtFirst, kubectl, say, language, signal },
      isolation,
    );
  }

  grade(submission: SubmissionFolder, onStep: (result: SubmissionResult) => void): Promise<SubmissionResult> {
    return gradeSubmission({ ...submission, tasks: this.tasks, settings: this.settings, onStep });
  }

  async close(): Promise<void> {
    this.isolation.close?.();
  }
}

async function clusterSource(options: GradeOptions, say: Say): Promise<ClusterSource> {
  if (options.cluster === "embedded") return new (await import("../embedded-source.ts")).EmbeddedSource(say);
  if (options.cluster !== "kind" && !options.cluster.startsWith("context:")) {
    throw new PracticeError("usage", "grade.cluster-unsupported", { cluster: options.cluster });
  }
  const { SharedSource } = await import("../shared-source.ts");
  const { cluster: wanted, home, consent } = options;
  return new SharedSource({ wanted, home, env: process.env, consent, say });
}
