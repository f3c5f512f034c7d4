import type { AuditEvent, Trace } from "../trace.ts";
import type { LogFile, LogFiles } from "./log-files.ts";

const CHUNK = 128 * 1024;

/**
 * Events are written when requests end, nearly in that order. Reading backwards stops at the first event that ended
 * this long before the time asked for.
 */
const DISORDER_MS = 30_000;

interface Position {
  id: string;
  offset: number;
}

/**
 * A trace over an audit log in files: one JSON event a line, rotated. The first read goes backwards from the end as far
 * as it must; later ones read only what was added since, following the log across rotation. Lines that are no JSON
 * (a crash in the middle of a write) are skipped; one that is still being written is read next time.
 */
export function logTrace(files: LogFiles): Trace {
  let position: Position | undefined;
  let readSince = Number.POSITIVE_INFINITY;
  let events: AuditEvent[] = [];
  let turn: Promise<unknown> = Promise.resolve();

  async function update(since: number): Promise<void> {
    const list = await files.list();
    const at = list.findIndex((file) => file.id === position?.id && file.size >= position.offset);
    if (position === undefined || since < readSince || at < 0) {
      ({ events, position } = await readBackwards(files, list, since));
      readSince = since;
      return;
    }
    for (const file of list.slice(at)) {
      const from = file.id === position.id ? position.offset : 0;
      const added = await readForwards(files, file, from);
      events.push(...added.events);
      position = { id: file.id, offset: added.end };
    }
  }

  return {
    read(since) {
      const result = turn.then(async () => {
        await update(since);
        return events
          .filter((event) => received(event) >= since)
          .sort((a, b) => compare(a.requestReceivedTimestamp, b.requestReceivedTimestamp));
      });
      turn = result.catch(() => {});
      return result;
    },
  };
}

async function readForwards(files: LogFiles, file: LogFile, from: number) {
  const events: AuditEvent[] = [];
  let end = from;
  let rest = Buffer.alloc(0);
  for (let offset = from; offset < file.size; ) {
    const chunk = await files.read(file, offset, Math.min(offset + CHUNK, file.size));
    if (chunk.length === 0) break;
    offset += chunk.length;
    const text = Buffer.concat([rest, chunk]);
    const newline = text.lastIndexOf(0x0a);
    events.push(...parse(text.subarray(0, newline + 1)));
    end += newline + 1;
    rest = text.subarray(newline + 1);
  }
  return { events, end };
}

async function readBackwards(files: LogFiles, list: LogFile[], since: number) {
  const newest = list.at(-1);
  if (newest === undefined) return { events: [], position: undefined };
  let events: AuditEvent[] = [];
  let position: Position | undefined;
  for (const file of [...list].reverse()) {
    // `rest` is the start of the text read so far: the end of a line whose beginning is not read yet.
    let rest = Buffer.alloc(0);
    let end = file.size;
    let done = false;
    let trimmed = false;
    while (end > 0 && !done) {
      const from = Math.max(0, end - CHUNK);
      let text = Buffer.concat([await files.read(file, from, end), rest]);
      end = from;
      if (!trimmed) {
        const complete = text.lastIndexOf(0x0a) + 1;
        if (complete === 0 && from > 0) {
          rest = text;
          continue;
        }
        if (file === newest) position = { id: file.id, offset: from + complete };
        text = text.subarray(0, complete);
        trimmed = true;
      }
      const firstLine = from === 0 ? 0 : text.indexOf(0x0a) + 1;
      rest = text.subarray(0, firstLine);
      const found = parse(text.subarray(firstLine));
      events = [...found, ...events];
      done = found.some((event) => ended(event) < since - DISORDER_MS);
    }
    if (done) break;
  }
  return { events, position: position ?? { id: newest.id, offset: 0 } };
}

function parse(text: Buffer): AuditEvent[] {
  return text
    .toString("utf8")
    .split("\n")
    .flatMap((line) => {
      if (line.trim() === "") return [];
      try {
        const event = JSON.parse(line) as AuditEvent;
        return isCompleted(event) ? [event] : [];
      } catch {
        return [];
      }
    });
}

/** `ResponseComplete` and `Panic` end a request; `RequestReceived` and `ResponseStarted` would count it twice. */
function isCompleted(event: AuditEvent): boolean {
  return typeof event?.requestReceivedTimestamp === "string" && /^(ResponseComplete|Panic)$/.test(event.stage);
}

function received(event: AuditEvent): number {
  return Date.parse(event.requestReceivedTimestamp);
}

function ended(event: AuditEvent): number {
  return Date.parse(event.stageTimestamp ?? event.requestReceivedTimestamp);
}

/** Timestamps carry microseconds, which Date does not. */
function compare(a: string, b: string): number {
  return Date.parse(a) - Date.parse(b) || (a < b ? -1 : a > b ? 1 : 0);
}
