import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { message } from "../../messages/catalogue.ts";
import { PracticeError } from "../../messages/practice-error.ts";
import { runProgram } from "../program/programs.ts";
import type { Progress } from "../provider.ts";
import { KIND_CLUSTER } from "./config.ts";
import { callEngine, type EngineCall, EngineError } from "./containers.ts";
import { recogniseFailure } from "./failures.ts";

const PULL_TIMEOUT_MS = 30 * 60_000;

export async function isOnHost(call: EngineCall, image: string): Promise<boolean> {
  const result = await runProgram(call.engine, ["image", "inspect", image], { env: call.env, signal: call.signal });
  return result.code === 0;
}

/**
 * Brings an image to this machine if it is not there. Throws PracticeError: a known cause (rate limit, disk …), else
 * `clusters.image.missing`, which says which image and how to bring it to a machine without network.
 */
export async function pullImage(call: EngineCall, image: string, progress: Progress, onLine?: (line: string) => void) {
  if (await isOnHost(call, image)) return;
  const name = image.split("@")[0]!;
  progress.phase(message("clusters.image.pulling", { image: name }));
  const layers = new LayerCount();
  const result = await runProgram(call.engine, ["pull", image], {
    env: call.env,
    signal: call.signal,
    timeoutMs: PULL_TIMEOUT_MS,
    onLine(line) {
      onLine?.(line);
      if (layers.see(line)) progress.phase(message("clusters.image.pulling", { image: name }), layers.fraction);
    },
  });
  call.signal?.throwIfAborted();
  if (result.code === 0) return;
  const output = `${result.stderr}\n${result.stdout}`;
  const known = recogniseFailure(output);
  const key =
    known === undefined || known.key === "clusters.kind.failure.network" ? "clusters.image.missing" : known.key;
  const reason = result.stderr.trim().split("\n").at(-1) ?? "";
  const values = { image, engine: call.engine, log: "", platform: process.platform, reason, ...known?.values };
  throw new PracticeError("environment", key, values);
}

/** `docker pull` without a terminal writes a line when a layer begins and one when it is complete. */
class LayerCount {
  private readonly seen = new Set<string>();
  private readonly complete = new Set<string>();

  /** True when the line says something of a layer. */
  see(line: string): boolean {
    const match = /^([0-9a-f]{12}): (Pulling fs layer|Already exists|Pull complete)/.exec(line);
    if (match === null) return false;
    this.seen.add(match[1]!);
    if (match[2] !== "Pulling fs layer") this.complete.add(match[1]!);
    return true;
  }

  get fraction(): number {
    return this.complete.size / Math.max(1, this.seen.size);
  }
}

/**
 * Loads images of this machine into every node. With docker that is `kind load docker-image`; kind asks only docker for
 * images, so other engines write an archive for `kind load image-archive`. Throws EngineError.
 */
export async function loadIntoNodes(call: EngineCall, kindEnv: NodeJS.ProcessEnv, images: string[], scratch: string) {
  if (call.engine === "docker") return kindLoad(kindEnv, ["docker-image", ...images], call.signal);
  const folder = await mkdtemp(join(scratch, "images-"));
  try {
    const archive = join(folder, "images.tar");
    await callEngine(call, ["save", "--output", archive, ...images], PULL_TIMEOUT_MS);
    await kindLoad(kindEnv, ["image-archive", archive], call.signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function kindLoad(env: NodeJS.ProcessEnv, args: string[], signal: AbortSignal | undefined): Promise<void> {
  const command = ["load", ...args, "--name", KIND_CLUSTER];
  const result = await runProgram("kind", command, { env, signal, timeoutMs: PULL_TIMEOUT_MS });
  signal?.throwIfAborted();
  if (result.code !== 0)
    throw new EngineError(`kind ${command.join(" ")}`, `${result.stderr}\n${result.stdout}`.trim());
}
