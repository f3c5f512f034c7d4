import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Language, message } from "../messages/catalogue.ts";
import { PracticeError } from "../messages/practice-error.ts";
import type { Say } from "../messages/translator.ts";
import type { FailureText, StepText } from "../verify/step-text.ts";
import { contentHash } from "./content-hash.ts";
import { readFrontMatter } from "./front-matter.ts";
import { formatProblem, type Problem } from "./problem.ts";
import type { Step, Task, TaskSpec, TaskText } from "./task.ts";
import { readYaml } from "./yaml-file.ts";

export interface LoadOptions {
  language: Language;
  say: Say;
  /** Problems name files relative to it; default the working directory. */
  cwd?: string;
  /** Skips the JSON Schemas where the folder's content hash says that it was valid before. */
  known?: { isValid(hash: string): Promise<boolean>; markValid(hash: string): Promise<void> };
}

/**
 * Reads a task folder whole: task.yaml, texts in `language` (English where there is none), steps. What is wrong in it
 * is collected and reported at once.
 *
 * @throws PracticeError of kind usage whose details are lines `file:line:column: what is wrong`
 */
export async function loadTask(folder: string, options: LoadOptions): Promise<Task> {
  const { task, problems } = await readTask(folder, options);
  if (task !== undefined && problems.length === 0) return task;
  const cwd = options.cwd ?? process.cwd();
  throw new PracticeError(
    "usage",
    "tasks.invalid",
    { name: basename(folder), count: problems.length },
    { details: problems.map((problem) => formatProblem(problem, options.say, cwd)) },
  );
}

/** As `loadTask`, for those who want the problems as data. */
export async function readTask(folder: string, options: LoadOptions): Promise<{ task?: Task; problems: Problem[] }> {
  const problems: Problem[] = [];
  const hash = await contentHash(folder);
  const checked = (await options.known?.isValid(hash)) === true;
  const check = async (...args: Parameters<typeof import("./schema-check.ts")["checkSchema"]>) => {
    if (checked) return true;
    const { checkSchema } = await import("./schema-check.ts");
    const found = await checkSchema(...args);
    problems.push(...found);
    return found.length === 0;
  };

  const file = join(folder, "task.yaml");
  const yaml = readYaml(file, await readFile(file, "utf8"));
  problems.push(...yaml.problems);
  const document = yaml.documents[0];
  if (document === undefined && yaml.problems.length === 0) {
    problems.push({ file, line: 1, text: message("tasks.yaml-empty") });
  }
  const valid = document !== undefined && (await check("task", file, document));
  const manifest = document?.value as { metadata: { name: string }; spec: TaskSpec };
  if (valid && manifest.metadata.name !== basename(folder)) {
    const text = message("tasks.name-differs", { name: manifest.metadata.name, folder: basename(folder) });
    problems.push({ file, ...document.place(["metadata", "name"]), text });
  }

  const text = await readText(folder, "task", options.language, problems, (path, matter) =>
    check("task-text", path, matter),
  );
  const steps = await readSteps(folder, options.language, problems, (path, matter) => check("step-text", path, matter));
  if (problems.length > 0 || !valid || text === undefined) return { problems };
  if (!checked) await options.known?.markValid(hash);
  const { name } = manifest.metadata;
  const { spec } = manifest;
  const shape = { controlPlanes: 1, workers: 2, ...spec.cluster };
  return { problems, task: { name, folder, spec, shape, text: text as unknown as TaskText, steps, hash } };
}

type Matter = Parameters<typeof import("./schema-check.ts")["checkSchema"]>[2];
type CheckMatter = (file: string, matter: Matter) => Promise<boolean>;

/** KIND.LANG.md's front matter with its `body`; English where the language has no file. */
async function readText(
  folder: string,
  kind: "task" | "step",
  language: Language,
  problems: Problem[],
  check: CheckMatter,
): Promise<Record<string, unknown> | undefined> {
  for (const tag of language === "en" ? ["en"] : [language, "en"]) {
    const file = join(folder, `${kind}.${tag}.md`);
    let content: string;
    try {
      content = await readFile(file, "utf8");
    } catch {
      continue;
    }
    const read = readFrontMatter(file, content);
    problems.push(...read.problems);
    if (read.matter === undefined || !(await check(file, read.matter))) return undefined;
    return { ...(read.matter.value as Record<string, unknown>), body: read.body };
  }
  problems.push({ file: join(folder, `${kind}.en.md`), text: message("tasks.text-missing") });
  return undefined;
}

async function readSteps(folder: string, language: Language, problems: Problem[], check: CheckMatter): Promise<Step[]> {
  const parent = join(folder, "steps");
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory() && /^\d+-/.test(entry.name)).map((entry) => entry.name);
  names.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  if (names.length === 0) problems.push({ file: parent, text: message("tasks.no-steps") });
  const steps: Step[] = [];
  for (const [index, name] of names.entries()) {
    const own = join(parent, name);
    const text = await readText(own, "step", language, problems, check);
    const files = new Set(await readdir(own));
    const verifier = ["verify.ts", "verify.sh"].find((candidate) => files.has(candidate));
    if (verifier === undefined) {
      problems.push({ file: join(own, "verify.ts"), text: message("tasks.verifier-missing", { step: name }) });
      continue;
    }
    if (text === undefined) continue;
    steps.push({
      number: index + 1,
      name,
      folder: own,
      text: toStepText(text),
      verifier: join(own, verifier),
      solution: files.has("solution.sh") ? join(own, "solution.sh") : undefined,
    });
  }
  return steps;
}

interface RawCheck {
  title: string;
  failures?: Record<string, string | FailureText>;
  remarks?: Record<string, string>;
  question?: { text: string; choices: Record<string, string> };
}

function toStepText(matter: Record<string, unknown>): StepText {
  const raw = matter as { title: string; hints?: string[]; checks: Record<string, RawCheck>; body: string };
  const checks = Object.entries(raw.checks ?? {}).map(([id, { title, failures = {}, remarks = {}, question }]) => {
    const texts = Object.entries(failures).map(([code, text]) => [
      code,
      typeof text === "string" ? { message: text } : text,
    ]);
    return [
      id,
      { title, failures: Object.fromEntries(texts), remarks, ...(question === undefined ? {} : { question }) },
    ];
  });
  return { title: raw.title, hints: raw.hints ?? [], checks: Object.fromEntries(checks), body: raw.body };
}
