import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Message as BuildMessage } from "esbuild";
import { PracticeError } from "../messages/practice-error.ts";
import { writeFileAtomic } from "../storage/write-file.ts";
import type { StepVerifier } from "../verify/define-step.ts";
import { scriptVerifier } from "../verify/script-verifier.ts";
import type { Step } from "./task.ts";

/** What a compiled verifier was made from: each file with the sha256 of its content. */
interface CacheEntry {
  compiler: string;
  inputs: Record<string, string>;
  module: string;
}

/** Part of the key: another way of compiling makes other modules. */
const compiler = "esbuild/1";

/**
 * The verifier of a step. verify.ts is compiled when it, or anything it imports, has changed since the last time; a
 * compiled one is kept under `home` and loading it does not load the compiler.
 *
 * @throws PracticeError of kind usage when it does not compile, breaks while loading or exports no step
 */
export async function loadVerifier(step: Step, { home }: { home: string }): Promise<StepVerifier> {
  if (step.verifier.endsWith(".sh")) return scriptVerifier(step.verifier);
  const cache = join(home, "cache", "verifiers");
  const url = (await findCompiled(step.verifier, cache)) ?? (await compile(step.verifier, cache));
  let module: { default?: StepVerifier };
  try {
    module = (await import(/* @vite-ignore */ url)) as typeof module;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PracticeError("usage", "tasks.verifier-broken", { step: step.name, reason }, { cause });
  }
  if (!Array.isArray(module.default?.checks)) {
    throw new PracticeError("usage", "tasks.verifier-no-step", { file: step.verifier });
  }
  return module.default;
}

async function findCompiled(source: string, cache: string): Promise<string | undefined> {
  try {
    const entry = JSON.parse(await readFile(entryPath(cache, source), "utf8")) as CacheEntry;
    if (entry.compiler !== compiler) return undefined;
    for (const [path, hash] of Object.entries(entry.inputs)) if ((await hashFile(path)) !== hash) return undefined;
    const module = join(cache, entry.module);
    await readFile(module);
    return pathToFileURL(module).href;
  } catch {
    return undefined;
  }
}

async function compile(source: string, cache: string): Promise<string> {
  const { build } = await import("esbuild");
  const result = await build({
    entryPoints: [source],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: "inline",
    alias: { "k8s-practice": authorModule(import.meta.url) },
    logLevel: "silent",
  }).catch((cause: { errors?: BuildMessage[] }) => {
    const details = (cause.errors ?? []).map(({ location, text }) => {
      const place =
        location === null ? source : `${relative(process.cwd(), source)}:${location.line}:${location.column + 1}`;
      return `${place}: ${text}`;
    });
    throw new PracticeError("usage", "tasks.verifier-not-compiled", { file: source }, { cause, details });
  });
  const code = result.outputFiles[0]!.text;
  const module = `${createHash("sha256").update(code).digest("hex").slice(0, 32)}.mjs`;
  const inputs: Record<string, string> = {};
  for (const name of Object.keys(result.metafile.inputs)) {
    const path = join(process.cwd(), name);
    inputs[path] = await hashFile(path);
  }
  try {
    await writeFileAtomic(join(cache, module), code);
    const entry: CacheEntry = { compiler, inputs, module };
    await writeFileAtomic(entryPath(cache, source), JSON.stringify(entry));
    return pathToFileURL(join(cache, module)).href;
  } catch {
    // No room to keep it: use it from memory this once.
    return `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`;
  }
}

/** What `import … from "k8s-practice"` means in a verifier: our source, whether we run from src/ or from dist/. */
function authorModule(moduleUrl: string): string {
  const here = fileURLToPath(moduleUrl);
  const dist = here.lastIndexOf("/dist/");
  return dist >= 0
    ? join(here.slice(0, dist), "dist/author.js")
    : fileURLToPath(new URL("../verify/author.ts", moduleUrl));
}

function entryPath(cache: string, source: string): string {
  return join(cache, `${createHash("sha256").update(source).digest("hex").slice(0, 32)}.json`);
}

async function hashFile(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}
