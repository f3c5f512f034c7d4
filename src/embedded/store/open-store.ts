import { LevelPersistence } from "./level-persistence.ts";
import { MemoryStore } from "./memory-store.ts";
import type { Store } from "./store.ts";

/**
 * Opens the store kept in `folder`, or a new one in memory only.
 *
 * @returns `findings`: what was wrong with the data and what was kept, a sentence each
 * @throws StoreInUseError, StoreFormatError, or what the disk says
 */
export async function openStore(
  folder: string | undefined,
): Promise<{ store: Store; findings: string[]; isNew: boolean }> {
  if (folder === undefined) return { store: new MemoryStore(), findings: [], isNew: true };
  const { persistence, content, recovery } = await LevelPersistence.open(folder);
  const objects = [...content.objects];
  const store = new MemoryStore({ ...content, objects }, persistence);
  return { store, findings: recovery.findings, isNew: objects.length === 0 };
}
