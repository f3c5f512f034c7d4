import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

const MIB = 1024 * 1024;

export interface AuditLogOptions {
  /** A file is closed and renamed when it has grown this large. */
  maxBytes?: number;
  /** Renamed files that are kept. */
  maxBackups?: number;
  /** Milliseconds since the epoch; names the renamed files. */
  now?(): number;
}

/** The audit log in files, as the API server's `--audit-log-path` writes it: one JSON event a line. */
export interface AuditLog {
  /** Written when it returns: who has been answered finds the request in the log. */
  write(event: Record<string, unknown>): void;
  close(): void;
}

/**
 * Appends to `audit.log` in the folder, which is made where needed. Rotated files are called `audit-TIMESTAMP.log`, as
 * the API server names them. A line that a crash has cut off is ended, so that it spoils no other.
 */
export function openAuditLog(folder: string, options: AuditLogOptions = {}): AuditLog {
  const { maxBytes = 20 * MIB, maxBackups = 5, now = Date.now } = options;
  const path = join(folder, "audit.log");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let file = openSync(path, "a", 0o600);
  let size = fstatSync(file).size;
  if (size > 0) size += writeSync(file, "\n");

  function rotate(): void {
    closeSync(file);
    const stamp = new Date(now()).toISOString().replaceAll(":", "-").replace("Z", "");
    renameSync(path, join(folder, `audit-${stamp}.log`));
    const backups = readdirSync(folder)
      .filter((name) => /^audit-.+\.log$/.test(name))
      .sort();
    for (const name of backups.slice(0, -maxBackups)) rmSync(join(folder, name), { force: true });
    file = openSync(path, "a", 0o600);
    size = 0;
  }

  return {
    write(event) {
      const line = `${JSON.stringify(event)}\n`;
      if (size > 0 && size + line.length > maxBytes) rotate();
      size += writeSync(file, line);
    },
    close: () => closeSync(file),
  };
}
