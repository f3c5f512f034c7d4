import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ClassicLevel } from "classic-level";
import type { KubeObject } from "../api/object.ts";
import type { GroupResource } from "../api/resource.ts";
import { type ContentState, ContentSum, checksum } from "./content-state.ts";
import type { Persistence, StoreChange, StoreContent } from "./memory-store.ts";

/** Written into every database; another number is another layout. */
const formatVersion = "1";
const metaFormat = "meta/format";
/** A ContentState, written with the changes that led to it. */
const metaState = "meta/state";
const objectPrefix = "object/";

/** What was wrong with a data folder and what was kept, a sentence each. */
export interface Recovery {
  findings: string[];
}

/** Another process has the data folder open. */
export class StoreInUseError extends Error {
  override name = "StoreInUseError";
}

/** The data folder was written by another version of the store. */
export class StoreFormatError extends Error {
  override name = "StoreFormatError";
}

/**
 * Objects in LevelDB: one record an object, one atomic batch for all changes of a turn of the event loop. A batch is in
 * the operating system's hands before `flushed` resolves, so that the death of this process loses nothing. Each record
 * has a checksum, and each batch says what all records come to: what a disk has changed or lost is found at the next
 * start. Beside the folder, `FOLDER.closed` holds the last revision of a store that was closed in order.
 */
export class LevelPersistence implements Persistence {
  private waiting: StoreChange[] = [];
  private writing: Promise<void> | undefined;
  private written: number;
  private failure: Error | undefined;

  private constructor(
    private readonly folder: string,
    private readonly db: ClassicLevel<string, string>,
    private readonly sum: ContentSum,
    revision: number,
  ) {
    this.written = revision;
  }

  /**
   * Opens or makes the database in `folder` and reads what is in it.
   *
   * @throws StoreInUseError, StoreFormatError, or what the disk says
   */
  static async open(
    folder: string,
  ): Promise<{ persistence: LevelPersistence; content: StoreContent; recovery: Recovery }> {
    const recovery: Recovery = { findings: [] };
    const db = await openDatabase(folder, recovery);
    try {
      const format = await db.get(metaFormat);
      if (format !== undefined && format !== formatVersion) {
        throw new StoreFormatError(
          `the data in ${folder} has format ${format}; this version reads format ${formatVersion}`,
        );
      }
      const { sum, content } = await readContent(folder, db, recovery);
      await db.batch([
        { type: "put", key: metaFormat, value: formatVersion },
        { type: "put", key: metaState, value: JSON.stringify(sum.state(content.revision)) },
      ]);
      await rm(closedFile(folder), { force: true });
      return { persistence: new LevelPersistence(folder, db, sum, content.revision), content, recovery };
    } catch (error) {
      await db.close();
      throw error;
    }
  }

  append(change: StoreChange): void {
    this.waiting.push(change);
    this.writing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.write());
  }

  async flushed(revision: number): Promise<void> {
    while (this.written < revision && this.writing !== undefined) await this.writing;
    if (this.failure !== undefined && this.written < revision) throw this.failure;
  }

  async close(revision: number): Promise<void> {
    await this.flushed(revision).catch(() => undefined);
    const safe = this.failure === undefined;
    if (safe) await this.db.put(metaFormat, formatVersion, { sync: true });
    await this.db.close();
    if (safe) await writeFile(closedFile(this.folder), `${revision}\n`, { mode: 0o600 });
  }

  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      const changes = this.waiting;
      this.waiting = [];
      // Only the last change of an object matters for the disk.
      const last = new Map<string, StoreChange>();
      for (const change of changes) last.set(recordKey(change.gr, change.namespace, change.name), change);
      const revision = changes.at(-1)!.revision;
      const records = [...last].map(([key, { gr, object }]) => ({
        key,
        value: object === undefined ? undefined : encode(gr, object),
      }));
      for (const { key, value } of records) this.sum.set(key, value?.slice(0, sumLength));
      try {
        await this.db.batch([
          ...records.map(({ key, value }) =>
            value === undefined ? ({ type: "del", key } as const) : ({ type: "put", key, value } as const),
          ),
          { type: "put", key: metaState, value: JSON.stringify(this.sum.state(revision)) },
        ]);
        this.written = revision;
        this.failure = undefined;
      } catch (error) {
        // Nothing is acknowledged until a later batch, which carries these changes again, gets through.
        this.failure = error as Error;
        this.waiting = [...changes, ...this.waiting];
        break;
      }
    }
    this.writing = undefined;
  }
}

async function openDatabase(folder: string, recovery: Recovery): Promise<ClassicLevel<string, string>> {
  // LevelDB would begin anew, and throw away what is there. Looked at first: a database opens itself soon after it is made.
  if (await hasDataWithoutTable(folder)) await repair(folder, recovery, "CURRENT is missing");
  const db = new ClassicLevel<string, string>(folder, { writeBufferSize: 1024 * 1024, cacheSize: 1024 * 1024 });
  try {
    await db.open();
    return db;
  } catch (error) {
    const cause = (error as { cause?: { code?: string; message?: string } }).cause;
    if (cause?.code === "LEVEL_LOCKED") throw new StoreInUseError(`another process has ${folder} open`);
    if (!isDamage(cause)) throw error;
    await repair(folder, recovery, cause?.message);
    await db.open();
    return db;
  }
}

async function repair(folder: string, recovery: Recovery, why: string | undefined): Promise<void> {
  recovery.findings.push(`The data files in ${folder} are damaged (${why}); what could be read was kept.`);
  await ClassicLevel.repair(folder);
}

function isDamage(cause: { code?: string; message?: string } | undefined): boolean {
  return (
    cause?.code === "LEVEL_CORRUPTION" || /corrupt|checksum|manifest|no such file|truncated/i.test(cause?.message ?? "")
  );
}

async function hasDataWithoutTable(folder: string): Promise<boolean> {
  const files = await readdir(folder).catch(() => [] as string[]);
  if (!files.some((file) => /^MANIFEST-|\.(ldb|sst)$/.test(file))) return false;
  return (await stat(join(folder, "CURRENT")).catch(() => undefined)) === undefined;
}

type Record = { gr: GroupResource; object: KubeObject };

async function readContent(
  folder: string,
  db: ClassicLevel<string, string>,
  recovery: Recovery,
): Promise<{ content: StoreContent; sum: ContentSum }> {
  const { records, damaged, sum } = await readRecords(db).catch(async (error: Error) => {
    // A block that can't be read stops the reader: take the files apart.
    await db.close();
    await repair(folder, recovery, (error.cause as Error | undefined)?.message ?? error.message);
    await db.open();
    return readRecords(db);
  });
  const kept = `Objects kept: ${records.length}.`;
  const expected = await readState(db);
  const closed = Number(await readFile(closedFile(folder), "utf8").catch(() => "0")) || 0;
  if (damaged.length > 0) {
    const names = damaged.map((key) => key.slice(objectPrefix.length)).join(", ");
    recovery.findings.push(`Damaged objects, left out: ${names}. ${kept}`);
    await db.batch(damaged.map((key) => ({ type: "del" as const, key })));
  } else if (expected !== undefined && expected.digest !== sum.state(0).digest) {
    const missing = expected.count - records.length;
    recovery.findings.push(
      missing > 0
        ? `Objects missing: ${missing} of ${expected.count}. ${kept}`
        : `Some of the last changes are missing. ${kept}`,
    );
  }
  const highest = records.reduce((max, { object }) => Math.max(max, Number(object.metadata.resourceVersion) || 0), 1);
  const noted = Math.max(expected?.revision ?? 0, highest);
  if (closed > noted) {
    recovery.findings.push(
      `The last changes before the cluster was stopped are missing (revisions ${noted + 1} to ${closed}). ${kept}`,
    );
  }
  // Never count on from below what somebody may have seen.
  return { content: { revision: Math.max(noted, closed), objects: records }, sum };
}

async function readRecords(db: ClassicLevel<string, string>) {
  const records: Record[] = [];
  const damaged: string[] = [];
  const sum = new ContentSum();
  for await (const [key, value] of db.iterator({ gte: objectPrefix, lt: `${objectPrefix}\uffff` })) {
    const record = decode(key, value);
    if (record === undefined) {
      damaged.push(key);
      continue;
    }
    sum.set(key, value.slice(0, sumLength));
    records.push(record);
  }
  return { records, damaged, sum };
}

async function readState(db: ClassicLevel<string, string>): Promise<ContentState | undefined> {
  try {
    return JSON.parse((await db.get(metaState)) ?? "") as ContentState;
  } catch {
    return undefined;
  }
}

function closedFile(folder: string): string {
  return `${folder}.closed`;
}

function recordKey(gr: GroupResource, namespace: string, name: string): string {
  return `${objectPrefix}${gr.group}/${gr.resource}/${namespace}/${name}`;
}

const sumLength = 16;

function encode(gr: GroupResource, object: KubeObject): string {
  const text = JSON.stringify({ gr, object });
  return `${checksum(text)}${text}`;
}

/** Undefined for a record that is not what was written under its key. */
function decode(key: string, value: string): Record | undefined {
  const text = value.slice(sumLength);
  if (checksum(text) !== value.slice(0, sumLength)) return undefined;
  const record = JSON.parse(text) as Record;
  const { namespace = "", name = "" } = record.object.metadata;
  return recordKey(record.gr, namespace, name) === key ? record : undefined;
}
