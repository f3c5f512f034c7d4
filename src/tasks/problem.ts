import { relative } from "node:path";
import type { Message } from "../messages/catalogue.ts";
import type { Say } from "../messages/translator.ts";

/** Something wrong in a task folder, and where. Lines and columns count from 1. */
export interface Problem {
  file: string;
  line?: number;
  column?: number;
  text: Message;
}

/** `start/agent.yaml:3:5: what is wrong`, as editors and CI systems make links of. */
export function formatProblem({ file, line, column, text }: Problem, say: Say, cwd: string): string {
  const near = relative(cwd, file);
  const path = near.startsWith("..") ? file : near;
  const place = line === undefined ? path : `${path}:${line}:${column ?? 1}`;
  return `${place}: ${say(text)}`;
}
