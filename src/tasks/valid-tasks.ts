import { access } from "node:fs/promises";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { writeFileAtomic } from "../storage/write-file.ts";
import type { LoadOptions } from "./load-task.ts";

/**
 * Remembers under `home` which task contents were found valid by this version of the runner, so that loading the JSON
 * Schema compiler for each command can be spared. Only a memory: where it can't be kept, tasks are checked each time.
 */
export function knownTasks(home: string): NonNullable<LoadOptions["known"]> {
  const path = (hash: string) => join(home, "cache", "valid-tasks", `${manifest.version}-${hash}`);
  return {
    async isValid(hash) {
      return access(path(hash)).then(
        () => true,
        () => false,
      );
    },
    async markValid(hash) {
      await writeFileAtomic(path(hash), "").catch(() => undefined);
    },
  };
}
