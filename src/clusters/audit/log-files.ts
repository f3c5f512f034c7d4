import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** One file of a rotated log as it is now. `id` stays the same when the file is renamed. */
export interface LogFile {
  name: string;
  id: string;
  size: number;
}

/** Where the files of an audit log can be listed and read from. */
export interface LogFiles {
  /** Every file, oldest first, the one being written last; empty while there is none. */
  list(): Promise<LogFile[]>;
  /** Bytes `from` (included) to `to` (excluded). */
  read(file: LogFile, from: number, to: number): Promise<Buffer>;
}

/**
 * Names of a log's files, oldest first: rotated ones are `audit-TIMESTAMP.log`, as the API server's log rotation
 * (`--audit-log-maxsize`) names them; the current one is `audit.log`.
 */
export function inLogOrder(names: string[]): string[] {
  const rotated = names.filter((name) => /^audit-.+\.log$/.test(name)).sort();
  return names.includes("audit.log") ? [...rotated, "audit.log"] : rotated;
}

/** The log's files in a folder of this machine. */
export function localLogFiles(folder: string): LogFiles {
  return {
    async list() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return [];
        throw error;
      });
      const files = await Promise.all(
        inLogOrder(names).map(async (name) => {
          // A file may be rotated away between the two calls.
          const info = await stat(join(folder, name)).catch(() => undefined);
          return info === undefined ? [] : [{ name, id: String(info.ino), size: info.size }];
        }),
      );
      return files.flat();
    },
    async read(file, from, to) {
      const handle = await open(join(folder, file.name), "r");
      try {
        const buffer = Buffer.alloc(Math.max(0, to - from));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
        return buffer.subarray(0, bytesRead);
      } finally {
        await handle.close();
      }
    },
  };
}
