import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import { PracticeError } from "../../messages/practice-error.ts";

/** The kubectl on PATH, as a real file. Throws PracticeError of kind environment when there is none. */
export function findKubectl(env: NodeJS.ProcessEnv): string {
  for (const folder of (env["PATH"] ?? "").split(delimiter)) {
    const path = join(folder, "kubectl");
    try {
      accessSync(path, constants.X_OK);
      return realpathSync(path);
    } catch {
      // Not in this folder.
    }
  }
  throw new PracticeError("environment", "grade.no-kubectl");
}
