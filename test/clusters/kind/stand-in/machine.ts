import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Message } from "../../../../src/messages/catalogue.ts";
import { type ApiStandIn, apiStandIn } from "./api-server.ts";

export interface Call {
  program: string;
  args: string[];
  provider?: string;
  tmpdir?: string;
}

interface Container {
  id: string;
  name: string;
  image: string;
  status: string;
  mounts: string[];
}

export interface MachineState {
  containers: Container[];
  images: string[];
  loaded?: string[];
  kindVersion?: string;
  info?: Record<string, unknown>;
  fail?: Record<string, unknown>;
  auditInNode?: string;
  override?: string;
}

/** A machine with stand-ins for kind and container engines on PATH, and an API server behind them. */
export interface Machine {
  home: string;
  env: NodeJS.ProcessEnv;
  api: ApiStandIn;
  /** What the progress was told, by key. */
  phases: string[];
  progress: { phase(text: Message): void };
  set(change: Partial<MachineState>): Promise<void>;
  state(): Promise<MachineState>;
  calls(): Promise<Call[]>;
  /** True once the stand-in waits for ever in the phase it was told to. */
  hanging(): Promise<boolean>;
  remove(): Promise<void>;
}

export async function machine(programs: string[] = ["kind", "docker"]): Promise<Machine> {
  const folder = await mkdtemp(join(tmpdir(), "kind-stand-in-"));
  const bin = join(folder, "bin");
  await mkdir(bin);
  const script = fileURLToPath(new URL("./stand-in.mjs", import.meta.url));
  for (const program of programs) {
    await writeFile(join(bin, program), `#!/bin/sh\nexec '${process.execPath}' '${script}' ${program} "$@"\n`);
    await chmod(join(bin, program), 0o755);
  }
  const api = await apiStandIn();
  await writeFile(join(folder, "kubeconfig"), api.kubeconfig("kind-k8s-practice"));
  const stateFile = join(folder, "state.json");
  const state = async () => JSON.parse(await readFile(stateFile, "utf8")) as MachineState;
  await writeFile(stateFile, JSON.stringify({ containers: [], images: [] } satisfies MachineState));
  const phases: string[] = [];
  return {
    home: join(folder, "home"),
    env: { PATH: bin, STAND_IN: folder, HOME: folder },
    api,
    phases,
    progress: { phase: ({ key }) => void phases.push(key) },
    state,
    set: async (change) => writeFile(stateFile, JSON.stringify({ ...(await state()), ...change })),
    calls: async () =>
      (await readFile(join(folder, "calls.jsonl"), "utf8").catch(() => ""))
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Call),
    hanging: () =>
      readFile(join(folder, "hanging")).then(
        () => true,
        () => false,
      ),
    async remove() {
      await api.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
