import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { takeIn } from "../../../src/grade/submission/take-in.ts";

describe("taking in a submission", () => {
  let folder: string;
  let from: string;
  let to: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "k8s-practice-intake-"));
    from = join(folder, "student");
    to = join(folder, "copy");
    mkdirSync(from);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const keys = (intake: { remarks: { key: string }[] }) => intake.remarks.map((r) => r.key);

  test("copies files and folders, whatever they are called", () => {
    mkdirSync(join(from, "manifests"));
    writeFileSync(join(from, "manifests/a.yaml"), "a: 1\n");
    writeFileSync(join(from, "two\nlines.txt"), "x");
    const intake = takeIn(from, to);
    expect(intake).toEqual({ files: ["manifests/a.yaml", "two\nlines.txt"], remarks: [] });
    expect(readFileSync(join(to, "two\nlines.txt"), "utf8")).toBe("x");
  });

  test("leaves out links that lead out of the folder, and follows those that stay inside", () => {
    writeFileSync(join(folder, "secret"), "secret");
    writeFileSync(join(from, "real.sh"), "echo\n");
    symlinkSync("../secret", join(from, "out.sh"));
    symlinkSync("/", join(from, "root"));
    symlinkSync("nowhere", join(from, "dangling"));
    symlinkSync("real.sh", join(from, "1.sh"));
    const intake = takeIn(from, to);
    expect(intake.files).toEqual(["1.sh", "real.sh"]);
    expect(keys(intake)).toEqual(["grade.left-out-link", "grade.left-out-link", "grade.left-out-link"]);
  });

  test("leaves out pipes and devices without waiting for them", () => {
    execFileSync("mkfifo", [join(from, "pipe")]);
    const intake = takeIn(from, to);
    expect(intake.files).toEqual([]);
    expect(keys(intake)).toEqual(["grade.left-out-special"]);
  });

  test("makes Windows line ends of scripts LF, and of nothing else", () => {
    writeFileSync(join(from, "1.sh"), "echo a\r\necho b\r\n");
    writeFileSync(join(from, "notes.txt"), "a\r\n");
    const intake = takeIn(from, to);
    expect(readFileSync(join(to, "1.sh"), "utf8")).toBe("echo a\necho b\n");
    expect(readFileSync(join(to, "notes.txt"), "utf8")).toBe("a\r\n");
    expect(keys(intake)).toEqual(["grade.line-ends"]);
  });

  test("refuses more files, bytes or depth than the limit", () => {
    for (let i = 0; i < 5; i += 1) writeFileSync(join(from, `f${i}`), "0123456789");
    const limits = { files: 100, bytes: 1000, depth: 3 };
    expect(takeIn(from, to, { ...limits, files: 4 }).refused?.key).toBe("grade.too-many-files");
    expect(takeIn(from, to, { ...limits, bytes: 45 }).refused?.key).toBe("grade.too-many-bytes");
    mkdirSync(join(from, "a/b/c/d"), { recursive: true });
    expect(takeIn(from, to, limits).refused?.key).toBe("grade.too-deep");
  });
});
