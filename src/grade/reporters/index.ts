import { classroom50 } from "./classroom50.ts";
import { csv } from "./csv.ts";
import { github } from "./github.ts";
import { gradescope } from "./gradescope.ts";
import { html } from "./html.ts";
import { json } from "./json.ts";
import { junit } from "./junit.ts";
import { markdown } from "./markdown.ts";
import type { Reporter } from "./reporter.ts";
import { tap } from "./tap.ts";
import { text } from "./text.ts";

/** Every format by the name that `--reporter` takes. */
export const reporters = {
  text,
  json,
  junit,
  tap,
  github,
  markdown,
  csv,
  gradescope,
  classroom50,
  html,
} satisfies Record<string, Reporter>;

export type ReporterName = keyof typeof reporters;

/** The file a format is written to when `--reporter NAME` names none; undefined: stdout. */
export const defaultFiles: Record<ReporterName, string | undefined> = {
  text: undefined,
  json: undefined,
  junit: "report.xml",
  tap: undefined,
  github: undefined,
  markdown: "report.md",
  csv: "report.csv",
  gradescope: "results.json",
  classroom50: "result.json",
  html: "report.html",
};
