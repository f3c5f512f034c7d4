import { createHash } from "node:crypto";
import { ClassicLevel } from "classic-level";
import type { KubeObject } from "../api/object.ts";
import type { GroupResource } from "../api/resource.ts";
import type { Persistence, StoreChange, StoreContent } from "./memory-store.ts";

/** Written into every database; another number is another layout. */
const formatVersion = "1";
const metaFormat = "meta/format";
/** The last revision that was written with its changes, and whether the process ended in order. */
const metaRevision = "meta/revision";
const metaClosed = "meta/closed";
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
 * the operating system's hands before `flushed` resolves, so that the death of this process loses nothing; LevelDB's
 * own checksums find torn log records, ours find records that were changed on the disk.
 */
export class LevelPersistence implements Persistence {
  private waiting: StoreChange[] = [];
  private writing: Promise<void> | undefined;
  private written = 0;
  private failure: Error | undefined;

  private constructor(private readonly db: ClassicLevel<string, string>) {}

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
    const format = await db.get(metaFormat);
    if (format !== undefined && format !== formatVersion) {
      await db.close();
      throw new StoreFormatError(
        `the data in ${folder} has format ${format}; this version reads format ${formatVersion}`,
      );
    }
    const content = await readContent(db, recovery);
    await db.batch([
      { type: "put", key: metaFormat, value: formatVersion },
      { type: "del", key: metaClosed },
    ]);
    const persistence = new LevelPersistence(db);
    persistence.written = content.revision;
    return { persistence, content, recovery };
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
    if (this.failure === undefined) await this.db.put(metaClosed, String(revision), { sync: true });
    await this.db.close();
  }

  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      const changes = this.waiting;
      this.waiting = [];
      // Only the last change of an object matters for the disk.
      const last = new Map<string, StoreChange>();
      for (const change of changes) last.set(recordKey(change.gr, change.namespace, change.name), change);
      const revision = changes.at(-1)!.revision;
      try {
        await this.db.batch([
          ...[...last].map(([key, { gr, object }]) =>
            object === undefined
              ? ({ type: "del", key } as const)
              : ({ type: "put", key, value: encode(gr, object) } as const),
          ),
          { type: "put", key: metaRevision, value: String(revision) },
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
  const db = new ClassicLevel<string, string>(folder, { writeBufferSize: 1024 * 1024, cacheSize: 1024 * 1024 });
  try {
    await db.open();
    return db;
  } catch (error) {
    const cause = (error as { cause?: { code?: string; message?: string } }).cause;
    if (cause?.code === "LEVEL_LOCKED") throw new StoreInUseError(`another process has ${folder} open`);
    if (cause?.code !== "LEVEL_CORRUPTION" && !/corrupt|checksum|manifest/i.test(cause?.message ?? "")) throw error;
    recovery.findings.push(`The data files in ${folder} are damaged (${cause?.message}); what could be read was kept.`);
    await ClassicLevel.repair(folder);
    await db.open();
    return db;
  }
}

async function readContent(db: ClassicLevel<string, string>, recovery: Recovery): Promise<StoreContent> {
  const objects: { gr: GroupResource; object: KubeObject }[] = [];
  const damaged: string[] = [];
  let highest = 1;
  for await (const [key, value] of db.iterator({ gte: objectPrefix, lt: `${objectPrefix}\uffff` })) {
    const record = decode(value);
    if (record === undefined) {
      damaged.push(key);
      continue;
    }
    highest = Math.max(highest, Number(record.object.metadata.resourceVersion) || 0);
    objects.push(record);
  }
  const noted = Number(await db.get(metaRevision)) || 0;
  const closed = Number(await db.get(metaClosed)) || 0;
  if (damaged.length > 0) {
    const names = damaged.map((key) => key.slice(objectPrefix.length)).join(", ");
    recovery.findings.push(
      `${damaged.length} of ${objects.length + damaged.length} objects were damaged and left out: ${names}.`,
    );
    await db.batch(damaged.map((key) => ({ type: "del" as const, key })));
  }
  if (closed > noted) {
    recovery.findings.push(
      `The last changes before the cluster was stopped are missing (revisions ${noted + 1} to ${closed}); ${objects.length} objects were kept.`,
    );
  }
  // Never count on from below what somebody may have seen.
  return { revision: Math.max(highest, noted, closed), objects };
}

function recordKey(gr: GroupResource, namespace: string, name: string): string {
  return `${objectPrefix}${gr.group}/${gr.resource}/${namespace}/${name}`;
}

function encode(gr: GroupResource, object: KubeObject): string {
  const text = JSON.stringify({ gr, object });
  return `${checksum(text)}${text}`;
}

function decode(record: string): { gr: GroupResource; object: KubeObject } | undefined {
  const text = record.slice(16);
  if (checksum(text) !== record.slice(0, 16)) return undefined;
  try {
    return JSON.parse(text) as { gr: GroupResource; object: KubeObject };
  } catch {
    return undefined;
  }
}

/** 64 bits: enough to find an accident on a disk. */
function checksum(text: string): string {
  return createHash("sha1").update(text).digest("hex").slice(0, 16);
}
