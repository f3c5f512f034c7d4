/** A step's script in a submission: named like the step's folder or its number, perhaps in a folder of the task's name. */
export interface StepScript {
  file: string | undefined;
  /** Others that would have matched too; the first in order was taken. */
  others: string[];
}

/**
 * Finds the script of one step among a submission's files: `01-replicas-no-op.sh`, `1.sh` or `01.sh`, in the task's
 * own folder first. Case matters nowhere but in Linux' own file names.
 *
 * @param step the step's folder name
 * @param number its place in the task, from 1
 */
export function findStepScript(files: readonly string[], task: string, step: string, number: number): StepScript {
  const names = [`${step}.sh`, `${number}.sh`, `${String(number).padStart(2, "0")}.sh`];
  const wanted = [...names.map((name) => `${task}/${name}`), ...names].map((name) => name.toLowerCase());
  const found = [...new Set(wanted)].flatMap((name) => files.filter((file) => file.toLowerCase() === name));
  return { file: found[0], others: found.slice(1) };
}
