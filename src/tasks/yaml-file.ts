import { type Document, isAlias, LineCounter, type Node, parseAllDocuments, visit } from "yaml";
import { message } from "../messages/catalogue.ts";
import type { Problem } from "./problem.ts";

/** More than any exercise needs, and little enough to be read in no time. */
const maxBytes = 1024 * 1024;
/** How often aliases may multiply what they stand for. */
const maxAliases = 100;

/** A YAML document and the way back from its values to lines. */
export interface YamlDocument {
  value: unknown;
  /** Where the value at `path` stands: its key for a map's entry. Falls back to the nearest parent that exists. */
  place(path: readonly (string | number)[]): { line: number; column: number };
}

/**
 * Reads YAML text, possibly several documents. Broken, cyclic or exploding input becomes problems with their place.
 *
 * @param firstLine the line of the file on which the text begins, for front matter
 */
export function readYaml(
  file: string,
  text: string,
  firstLine = 1,
): { documents: YamlDocument[]; problems: Problem[] } {
  if (Buffer.byteLength(text) > maxBytes) {
    return { documents: [], problems: [{ file, text: message("tasks.yaml-too-large", { limit: maxBytes / 1024 }) }] };
  }
  const lines = new LineCounter();
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line) + firstLine - 1, column: Math.max(1, col) };
  };
  const problems: Problem[] = [];
  const documents: YamlDocument[] = [];
  const parsed = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false });
  for (const document of Array.isArray(parsed) ? parsed : []) {
    for (const error of document.errors) {
      problems.push({
        file,
        ...at(error.pos[0]),
        text: message("tasks.yaml-broken", { reason: error.message.trim() }),
      });
    }
    const cycle = document.errors.length === 0 ? findCycle(document) : undefined;
    if (cycle !== undefined) {
      problems.push({ file, ...at(cycle.offset), text: message("tasks.yaml-cyclic", { alias: cycle.alias }) });
    }
    if (document.errors.length > 0 || cycle !== undefined) continue;
    try {
      const value = document.toJS({ maxAliasCount: maxAliases });
      documents.push({ value, place: (path) => at(offsetOf(document, path)) });
    } catch {
      problems.push({ file, ...at(0), text: message("tasks.yaml-aliases", { limit: maxAliases }) });
    }
  }
  return { documents, problems };
}

/** An alias inside the value its anchor names. */
function findCycle(document: Document.Parsed): { alias: string; offset: number } | undefined {
  let found: { alias: string; offset: number } | undefined;
  visit(document, (_key, node, path) => {
    if (!isAlias(node)) return undefined;
    const inside = path.some((parent) => (parent as { anchor?: string }).anchor === node.source);
    if (!inside) return undefined;
    found = { alias: node.source, offset: node.range?.[0] ?? 0 };
    return visit.BREAK;
  });
  return found;
}

function offsetOf(document: Document.Parsed, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length--) {
    const parent = document.getIn(path.slice(0, length - 1), true) ?? document.contents;
    const name = path[length - 1];
    const items = (parent as { items?: unknown[] } | null)?.items ?? [];
    for (const [index, item] of items.entries()) {
      const key = (item as { key?: { value?: unknown; range?: [number, number, number] } }).key;
      if (key !== undefined && String(key.value) === String(name)) return key.range?.[0] ?? 0;
      if (key === undefined && index === name) return (item as Node).range?.[0] ?? 0;
    }
  }
  return document.contents?.range?.[0] ?? 0;
}
