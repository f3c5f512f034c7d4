import { access, readdir } from "node:fs/promises";
import { join } from "node:path";

/** A folder with a task.yaml; not yet read. */
export interface TaskFolder {
  name: string;
  folder: string;
}

/** The tasks of these folders by name; where two have the same name, the earlier folder's counts. */
export async function findTasks(folders: readonly string[]): Promise<TaskFolder[]> {
  const found = new Map<string, TaskFolder>();
  for (const parent of folders) {
    const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
    for (const { name } of entries) {
      const folder = join(parent, name);
      if (!found.has(name) && (await isTask(folder))) found.set(name, { name, folder });
    }
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** The folder of the task called `name`, or undefined. */
export async function findTask(folders: readonly string[], name: string): Promise<string | undefined> {
  // A name is no path: `../x` must not leave the folders.
  if (!/^[a-z0-9][-a-z0-9]*$/.test(name)) return undefined;
  for (const parent of folders) if (await isTask(join(parent, name))) return join(parent, name);
  return undefined;
}

async function isTask(folder: string): Promise<boolean> {
  return access(join(folder, "task.yaml")).then(
    () => true,
    () => false,
  );
}
