import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../package-root.ts";

/** What `kubectl explain` says of a type and of its fields. */
export interface TypeDescription {
  text: string;
  fields: Readonly<Record<string, string>>;
}

const none: TypeDescription = { text: "", fields: {} };

/**
 * Reads dist/descriptions.json (scripts/descriptions.mjs makes it at build time) when it is first asked. Where there is
 * none, nothing is described and nothing else is missing.
 */
export function loadDescriptions(): (typeName: string) => TypeDescription {
  let all: Record<string, [string, Record<string, string>]> | undefined;
  return (typeName) => {
    all ??= readAll();
    const found = Object.hasOwn(all, typeName) ? all[typeName] : undefined;
    return found === undefined ? none : { text: found[0], fields: found[1] };
  };
}

function readAll(): Record<string, [string, Record<string, string>]> {
  try {
    return JSON.parse(readFileSync(join(packageRoot(), "dist/descriptions.json"), "utf8"));
  } catch {
    return {};
  }
}
