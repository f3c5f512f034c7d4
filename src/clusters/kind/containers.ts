import { runProgram } from "../program/programs.ts";
import { KIND_CLUSTER } from "./config.ts";
import type { EngineName } from "./engine.ts";

/** A node's container. */
export interface NodeContainer {
  /** The engine's full id. */
  id: string;
  name: string;
  state: "running" | "stopped" | "paused";
  image: string;
  /** Host paths mounted into it. */
  mounts: string[];
}

interface Inspected {
  Id?: string;
  ID?: string;
  Name?: string;
  State?: { Status?: string; Running?: boolean; Paused?: boolean };
  Config?: { Image?: string };
  ImageName?: string;
  Mounts?: { Source?: string }[] | null;
}

export interface EngineCall {
  engine: EngineName;
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
}

/** An engine's command that failed; `output` is what it said. */
export class EngineError extends Error {
  constructor(
    readonly command: string,
    readonly output: string,
  ) {
    super(`${command}: ${output}`);
    this.name = "EngineError";
  }
}

/** Runs an engine's command and returns its stdout. Throws EngineError when it fails. */
export async function callEngine(call: EngineCall, args: string[], timeoutMs = 60_000): Promise<string> {
  const result = await runProgram(call.engine, args, { env: call.env, signal: call.signal, timeoutMs });
  call.signal?.throwIfAborted();
  if (result.code === 0) return result.stdout;
  const late = result.timedOut ? `no answer in ${timeoutMs / 1000} s` : "";
  throw new EngineError([call.engine, ...args].join(" "), [result.stderr, result.stdout, late].join("\n").trim());
}

/** The containers of our cluster's name, whoever made them, control planes first; kind labels them with the name. */
export async function nodeContainers(call: EngineCall): Promise<NodeContainer[]> {
  const filter = `label=io.x-k8s.kind.cluster=${KIND_CLUSTER}`;
  const ids = (await callEngine(call, ["ps", "--all", "--no-trunc", "--filter", filter, "--format", "{{.ID}}"]))
    .split("\n")
    .filter((line) => line !== "");
  if (ids.length === 0) return [];
  const inspected = JSON.parse(await callEngine(call, ["inspect", "--type", "container", ...ids])) as Inspected[];
  return inspected.map(containerOf).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function containerOf(inspected: Inspected): NodeContainer {
  const { State, Config, Mounts } = inspected;
  const running = State?.Running === true || State?.Status === "running";
  const paused = State?.Paused === true || State?.Status === "paused";
  return {
    id: inspected.Id ?? inspected.ID ?? "",
    name: (inspected.Name ?? "").replace(/^\//, ""),
    state: paused ? "paused" : running ? "running" : "stopped",
    image: inspected.ImageName ?? Config?.Image ?? "",
    mounts: (Mounts ?? []).flatMap((mount) => (mount.Source === undefined ? [] : [mount.Source])),
  };
}
