import { appendFile, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { localLogFiles } from "../../src/clusters/audit/log-files.ts";
import { logTrace } from "../../src/clusters/audit/log-trace.ts";
import type { Trace } from "../../src/clusters/trace.ts";

const START = Date.parse("2026-06-01T10:00:00Z");
let folder: string;
let log: string;
let trace: Trace;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "audit-"));
  log = join(folder, "audit.log");
  trace = logTrace(localLogFiles(folder));
});
afterEach(() => rm(folder, { recursive: true }));

const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();
/** An event that came in and ended at so many seconds after the start. */
function event(auditID: string, received: number, ended = received, extra = {}): string {
  return `${JSON.stringify({
    auditID,
    stage: "ResponseComplete",
    requestReceivedTimestamp: at(received),
    stageTimestamp: at(ended),
    verb: "patch",
    requestURI: "/",
    ...extra,
  })}\n`;
}
const ids = async (since = 0, from = trace) => (await from.read(START + since * 1000)).map(({ auditID }) => auditID);

describe("a trace over an audit log", () => {
  it("is empty while there is no log", async () => {
    expect(await ids()).toEqual([]);
    await writeFile(log, event("a", 1));
    expect(await ids()).toEqual(["a"]);
  });

  it("has the requests received since the time asked for, in order of receipt", async () => {
    await writeFile(log, event("old", -5) + event("second", 2) + event("first", 1));
    expect(await ids()).toEqual(["first", "second"]);
  });

  it("orders requests of the same millisecond by their microseconds", async () => {
    const micro = (id: string, time: string) => event(id, 0, 0, { requestReceivedTimestamp: time });
    await writeFile(log, micro("b", "2026-06-01T10:00:01.000002Z") + micro("a", "2026-06-01T10:00:01.000001Z"));
    expect(await ids()).toEqual(["a", "b"]);
  });

  it("has what was added since the last read, once", async () => {
    await writeFile(log, event("a", 1));
    await ids();
    await appendFile(log, event("b", 2));
    expect(await ids()).toEqual(["a", "b"]);
    expect(await ids()).toEqual(["a", "b"]);
  });

  it("has a line only when it is written to its end", async () => {
    const line = event("b", 2);
    await writeFile(log, event("a", 1) + line.slice(0, 20));
    expect(await ids()).toEqual(["a"]);
    await appendFile(log, line.slice(20));
    expect(await ids()).toEqual(["a", "b"]);
  });

  it("follows the log across rotation", async () => {
    await writeFile(log, event("a", 1));
    await ids();
    await appendFile(log, event("b", 2));
    await rename(log, join(folder, "audit-2026-06-01T10-00-03.000.log"));
    await writeFile(log, event("c", 3));
    expect(await ids()).toEqual(["a", "b", "c"]);
    expect(await ids(0, logTrace(localLogFiles(folder)))).toEqual(["a", "b", "c"]);
  });

  it("has a request that ended late, among those that came in after it", async () => {
    await writeFile(log, event("short", 5) + event("late", 1, 20));
    expect(await ids()).toEqual(["late", "short"]);
  });

  it("counts a request once, when it has ended", async () => {
    await writeFile(
      log,
      event("a", 1, 1, { stage: "RequestReceived" }) +
        event("a", 1, 2) +
        event("a", 1, 2, { stage: "ResponseStarted" }),
    );
    expect(await ids()).toEqual(["a"]);
  });

  it("passes over what is no event", async () => {
    await writeFile(log, `${event("a", 1)}{"torn":\n\nnull\n${event("b", 2)}`);
    expect(await ids()).toEqual(["a", "b"]);
  });

  it("reads no more of a long log than it must", async () => {
    const read: number[] = [];
    const files = localLogFiles(folder);
    const counted = {
      list: files.list,
      read(...args: Parameters<typeof files.read>) {
        read.push(args[2] - args[1]);
        return files.read(...args);
      },
    };
    const padding = { requestObject: { text: "ä".repeat(500) } };
    const many = Array.from({ length: 4000 }, (_, index) => event(`old-${index}`, index - 5000, index - 5000, padding));
    await writeFile(log, many.join("") + event("new", 1));
    expect(await ids(0, logTrace(counted))).toEqual(["new"]);
    expect(read.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(300_000);
    expect(await ids(-2000)).toHaveLength(1001);
  });
});
