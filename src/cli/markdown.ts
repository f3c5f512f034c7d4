import stringWidth from "string-width";
import type { Output } from "./output.ts";

/** Markdown for a terminal: paragraphs wrapped, code blocks indented as they are, emphasis by colour where there is one. */
export function renderMarkdown(markdown: string, { out, width = out.width }: { out: Output; width?: number }): string {
  const lines: string[] = [];
  let paragraph: string[] = [];
  let fenced = false;
  const flush = () => {
    if (paragraph.length === 0) return;
    const text = paragraph.join(" ");
    const [, marker = ""] = /^(\s*(?:[-*]|\d+\.)\s+)/.exec(text) ?? [];
    // Emphasis may go over a line's end, so it is resolved before lines are made.
    lines.push(...wrap(inline(text, out), width, " ".repeat(stringWidth(marker))));
    paragraph = [];
  };
  for (const line of markdown.split("\n")) {
    if (/^\s*```/.test(line)) {
      flush();
      fenced = !fenced;
    } else if (fenced || (/^( {4}|\t)/.test(line) && paragraph.length === 0)) {
      lines.push(out.paint("cyan", fenced ? `    ${line}` : line));
    } else if (line.trim() === "") {
      flush();
      lines.push("");
    } else if (/^#{1,6} /.test(line)) {
      flush();
      lines.push(out.paint("bold", line.replace(/^#+ /, "")));
    } else {
      if (/^\s*(?:[-*]|\d+\.)\s/.test(line)) flush();
      paragraph.push(paragraph.length === 0 ? line : line.trim());
    }
  }
  flush();
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Breaks at spaces; a word that is longer than a line keeps its own. Widths count wide characters twice. */
export function wrap(text: string, width: number, indent = ""): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/(?<!^\s*)\s+(?!$)/)) {
    const next = line === "" ? word : `${line} ${word}`;
    if (line !== "" && stringWidth(next) > width) {
      lines.push(line);
      line = indent + word;
    } else line = next;
  }
  if (line !== "") lines.push(line);
  return lines;
}

function inline(text: string, out: Output): string {
  return text
    .replace(/`([^`]+)`/g, (plain: string, code: string) => {
      const painted = out.paint("cyan", code);
      return painted === code ? plain : painted;
    })
    .replace(/\*\*([^*]+)\*\*/g, (_, strong: string) => out.paint("bold", strong))
    .replace(/(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g, (_, soft: string) => out.paint("italic", soft));
}
