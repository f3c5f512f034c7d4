import type { Language } from "../messages/catalogue.ts";
import { PracticeError } from "../messages/practice-error.ts";
import { loadTranslator } from "../messages/translator.ts";
import { findTask } from "../tasks/find-task.ts";
import { loadTask } from "../tasks/load-task.ts";
import { loadVerifier } from "../tasks/verifier-module.ts";
import type { GradedTask } from "./grade-task.ts";
import type { IsolationName, ScriptLimits } from "./isolation/isolation.ts";

/** What every worker of a run needs to know; plain data, so that it can be sent to another process. */
export interface GradeOptions {
  tasks: string[];
  taskFolders: string[];
  home: string;
  language: Language;
  cluster: string;
  isolation: IsolationName | undefined;
  limits: ScriptLimits;
  /** Milliseconds. */
  settle: number;
  stopAtFirst: boolean;
  kubectl: string;
  /** Consent for a cluster that is not ours. */
  consent: { yes: boolean; allowNodes: boolean };
}

/**
 * Loads the tasks to grade and their verifiers from the grader's own folders.
 *
 * @throws PracticeError of kind usage for an unknown or invalid task, or one that has no point to earn
 */
export async function loadGradedTasks(options: GradeOptions): Promise<GradedTask[]> {
  const say = await loadTranslator(options.language);
  const loaded: GradedTask[] = [];
  for (const name of options.tasks) {
    const folder = await findTask(options.taskFolders, name);
    if (folder === undefined) throw new PracticeError("usage", "grade.unknown-task", { task: name });
    const task = await loadTask(folder, { language: options.language, say });
    const verifiers = await Promise.all(task.steps.map((step) => loadVerifier(step, { home: options.home })));
    const possible = verifiers.flatMap((v) => v.checks).reduce((sum, check) => sum + (check.points ?? 1), 0);
    if (possible <= 0) throw new PracticeError("usage", "grade.nothing-to-earn", { task: name });
    loaded.push({ task, verifiers });
  }
  return loaded;
}
