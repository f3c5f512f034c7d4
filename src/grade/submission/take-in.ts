import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { join, relative, sep } from "node:path";
import { type Message, message } from "../../messages/catalogue.ts";

export interface IntakeLimits {
  files: number;
  bytes: number;
  /** Folders in folders. */
  depth: number;
}

export const defaultIntakeLimits: IntakeLimits = { files: 1000, bytes: 32 * 1024 * 1024, depth: 16 };

export interface Intake {
  /** Regular files copied, by path relative to the submission, in name order. */
  files: string[];
  /** What was left out or changed, for the student and the teacher. */
  remarks: Message[];
  /** Set when the submission can't be judged as it is (over a limit): the student's to mend. */
  refused?: Message;
}

/**
 * Copies what can be trusted of a submission folder to `to`: regular files, with scripts' CRLF line ends made LF.
 * Links are followed only to regular files inside the folder; devices, pipes and sockets are left out. Nothing is read
 * beyond the limits. Throws only when our own side fails (the disk is full).
 */
export function takeIn(from: string, to: string, limits: IntakeLimits = defaultIntakeLimits): Intake {
  const intake: Intake = { files: [], remarks: [] };
  const root = realpathSync(from);
  let bytes = 0;

  const refuse = (refused: Message) => {
    intake.refused ??= refused;
  };

  const takeFile = (path: string, name: string) => {
    if (intake.files.length >= limits.files) return refuse(message("grade.too-many-files", { limit: limits.files }));
    // O_NOFOLLOW and fstat on the open file: nobody can swap it for a link or a device in between.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile()) return leaveOut("grade.left-out-special", name);
      if (bytes + stat.size > limits.bytes) return refuse(message("grade.too-many-bytes", { limit: limits.bytes }));
      let content = readAll(fd, stat.size);
      bytes += content.length;
      if (name.endsWith(".sh") && content.includes("\r\n")) {
        content = Buffer.from(content.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
        intake.remarks.push(message("grade.line-ends", { file: name }));
      }
      writeFileSync(join(to, name), content, { mode: 0o644 });
      intake.files.push(name);
    } finally {
      closeSync(fd);
    }
  };

  const leaveOut = (
    key: "grade.left-out-special" | "grade.left-out-link" | "grade.left-out-unreadable",
    name: string,
  ) => {
    intake.remarks.push(message(key, { file: name }));
  };

  const takeLink = (path: string, name: string) => {
    let target: string;
    try {
      target = realpathSync(path);
    } catch {
      return leaveOut("grade.left-out-link", name);
    }
    const inside = relative(root, target);
    if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`)) return leaveOut("grade.left-out-link", name);
    if (!lstatSync(target).isFile()) return leaveOut("grade.left-out-link", name);
    takeFile(target, name);
  };

  const takeFolder = (folder: string, prefix: string, depth: number) => {
    if (depth > limits.depth) return refuse(message("grade.too-deep", { limit: limits.depth }));
    mkdirSync(join(to, prefix), { recursive: true });
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (intake.refused) return;
      const path = join(folder, entry.name);
      const name = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
      try {
        if (entry.isSymbolicLink()) takeLink(path, name);
        else if (entry.isDirectory()) {
          if (entry.name !== ".git") takeFolder(path, name, depth + 1);
        } else takeFile(path, name);
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code;
        if (code === "ENXIO" || code === "ELOOP") leaveOut("grade.left-out-special", name);
        else if (code === "EACCES" || code === "EPERM") leaveOut("grade.left-out-unreadable", name);
        else throw error;
      }
    }
  };

  takeFolder(root, "", 0);
  return intake;
}

/** At most `size` bytes: a file that grows while it is read is read no further. */
function readAll(fd: number, size: number): Buffer {
  const buffer = Buffer.alloc(size);
  let read = 0;
  while (read < size) {
    const count = readSync(fd, buffer, read, size - read, read);
    if (count === 0) break;
    read += count;
  }
  return buffer.subarray(0, read);
}
