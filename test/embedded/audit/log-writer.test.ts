import { appendFile, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { localLogFiles } from "../../../src/clusters/audit/log-files.ts";
import { logTrace } from "../../../src/clusters/audit/log-trace.ts";
import { openAuditLog } from "../../../src/embedded/audit/log-writer.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "audit-log-"));
});
afterEach(() => rm(folder, { recursive: true }));

const event = (auditID: string) => ({
  auditID,
  stage: "ResponseComplete",
  requestReceivedTimestamp: "2026-06-01T10:00:00.000000Z",
  verb: "patch",
  requestURI: "/",
});
const ids = async () => (await logTrace(localLogFiles(folder)).read(0)).map(({ auditID }) => auditID);

describe("the audit log", () => {
  it("holds an event as soon as it is written", async () => {
    const log = openAuditLog(folder);
    log.write(event("a"));
    expect(await ids()).toEqual(["a"]);
    log.close();
  });

  it("is gone on with by the next process, past a line that a crash cut off", async () => {
    openAuditLog(folder).write(event("a"));
    await appendFile(join(folder, "audit.log"), '{"auditID":"torn');
    const log = openAuditLog(folder);
    log.write(event("b"));
    expect(await ids()).toEqual(["a", "b"]);
    log.close();
  });

  it("is rotated when it has grown large, and the oldest files go", async () => {
    let time = Date.parse("2026-06-01T10:00:00Z");
    const log = openAuditLog(folder, { maxBytes: 500, maxBackups: 2, now: () => (time += 1000) });
    for (let index = 0; index < 20; index++) log.write(event(`event-${index}`));
    const names = await readdir(folder);
    expect(names.filter((name) => name !== "audit.log")).toHaveLength(2);
    for (const name of names) expect((await readFile(join(folder, name), "utf8")).length).toBeLessThanOrEqual(500);
    expect((await ids()).at(-1)).toBe("event-19");
    log.close();
  });
});
