import { message } from "../messages/catalogue.ts";
import type { Problem } from "./problem.ts";
import { readYaml, type YamlDocument } from "./yaml-file.ts";

/** A Markdown file that begins with a YAML block between two `---` lines. */
export function readFrontMatter(
  file: string,
  text: string,
): { matter: YamlDocument; body: string; problems: [] } | { matter?: undefined; problems: Problem[] } {
  const clean = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const found = /^---\n([\s\S]*?\n)?---(?:\n|$)/.exec(clean);
  if (found === null) return { problems: [{ file, line: 1, column: 1, text: message("tasks.no-front-matter") }] };
  const { documents, problems } = readYaml(file, found[1] ?? "", 2);
  if (problems.length > 0) return { problems };
  if (documents[0] === undefined || typeof documents[0].value !== "object" || documents[0].value === null) {
    return { problems: [{ file, line: 1, column: 1, text: message("tasks.no-front-matter") }] };
  }
  return { matter: documents[0], body: clean.slice(found[0].length).trim(), problems: [] };
}
