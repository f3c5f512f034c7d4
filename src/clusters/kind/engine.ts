import { type ProgramResult, runProgram } from "../program/programs.ts";

/** What answers container commands. */
export type EngineName = "docker" | "podman" | "nerdctl" | "finch" | "nerdctl.lima";

/** A container engine that answered. */
export interface Engine {
  name: EngineName;
  version: string;
  /** The product or machine it runs in, when it tells. */
  flavour: "Docker Desktop" | "Colima" | "Rancher Desktop" | "OrbStack" | undefined;
  rootless: boolean;
  wsl: boolean;
  cgroupVersion: 1 | 2 | undefined;
  /** As Linux names it: x86_64, aarch64. */
  architecture: string;
  /** Bytes that containers can have. */
  memory: number | undefined;
  cpus: number | undefined;
  /** Where images and containers are kept, on the engine's machine. */
  rootDir: string | undefined;
  operatingSystem: string;
  proxy: string | undefined;
  /** Docker installed as a snap sees only parts of the file system. */
  snap: boolean;
}

export type EngineLook =
  | { engine: Engine }
  | { engine: undefined; installed: EngineName[]; name?: EngineName; output: string };

const INFO_TIMEOUT_MS = 8_000;

/**
 * The engine kind will use: the one KIND_EXPERIMENTAL_PROVIDER names, else the first of docker, nerdctl and podman that
 * answers, in kind's own order. When none answers: which are installed, and what the first said.
 */
export async function detectEngine(env: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<EngineLook> {
  const installed: EngineName[] = [];
  let said: { name: EngineName; output: string } | undefined;
  for (const name of candidates(env)) {
    const result = await runProgram(name, ["info", "--format", "{{json .}}"], {
      env,
      timeoutMs: INFO_TIMEOUT_MS,
      signal,
    });
    signal?.throwIfAborted();
    if (result.missing) continue;
    installed.push(name);
    const engine = result.code === 0 ? await engineOf(name, result, env) : undefined;
    if (engine !== undefined) return { engine };
    const late = result.timedOut ? `${name} info: no answer in ${INFO_TIMEOUT_MS / 1000} s` : "";
    said ??= { name, output: [result.stderr, late].filter((text) => text !== "").join("\n") };
  }
  return { engine: undefined, installed, output: "", ...said };
}

function candidates(env: NodeJS.ProcessEnv): EngineName[] {
  const wanted = env["KIND_EXPERIMENTAL_PROVIDER"];
  const known: EngineName[] = ["docker", "podman", "nerdctl", "finch", "nerdctl.lima"];
  const named = known.find((name) => name === wanted);
  return named === undefined ? ["docker", "nerdctl", "podman"] : [named];
}

/**
 * The environment for kind: told to use this engine, and, where Docker is a snap and can't see /tmp, to put its
 * temporary files in `scratch`.
 */
export function kindEnvironment(
  engine: Pick<Engine, "name" | "snap">,
  env: NodeJS.ProcessEnv,
  scratch: string,
): NodeJS.ProcessEnv {
  return {
    ...env,
    ...(engine.name === "docker" ? {} : { KIND_EXPERIMENTAL_PROVIDER: engine.name }),
    ...(engine.snap ? { TMPDIR: scratch } : {}),
  };
}

interface DockerInfo {
  ServerVersion?: string;
  CgroupVersion?: string;
  Architecture?: string;
  MemTotal?: number;
  NCPU?: number;
  DockerRootDir?: string;
  OperatingSystem?: string;
  KernelVersion?: string;
  Name?: string;
  SecurityOptions?: string[] | null;
  HttpProxy?: string;
  HttpsProxy?: string;
}

interface PodmanInfo {
  host?: {
    arch?: string;
    cgroupVersion?: string;
    memTotal?: number;
    cpus?: number;
    kernel?: string;
    hostname?: string;
    os?: string;
    security?: { rootless?: boolean };
  };
  store?: { graphRoot?: string };
  version?: { Version?: string };
}

async function engineOf(
  name: EngineName,
  { stdout }: ProgramResult,
  env: NodeJS.ProcessEnv,
): Promise<Engine | undefined> {
  let info: DockerInfo & PodmanInfo;
  try {
    info = JSON.parse(stdout) as DockerInfo & PodmanInfo;
  } catch {
    return undefined;
  }
  if (name === "podman") return podmanEngine(info);
  // Some versions exit with 0 although the daemon did not answer.
  if (info.ServerVersion === undefined || info.ServerVersion === "") return undefined;
  const kernel = info.KernelVersion ?? "";
  return {
    name,
    version: info.ServerVersion,
    flavour: flavourOf(info),
    rootless: (info.SecurityOptions ?? []).some((option) => /rootless/.test(option)),
    wsl: /microsoft|WSL2/i.test(kernel),
    cgroupVersion: info.CgroupVersion === "2" ? 2 : info.CgroupVersion === "1" ? 1 : undefined,
    architecture: linuxArchitecture(info.Architecture ?? ""),
    memory: info.MemTotal,
    cpus: info.NCPU,
    rootDir: info.DockerRootDir,
    operatingSystem: info.OperatingSystem ?? "",
    proxy: [info.HttpsProxy, info.HttpProxy].find((value) => (value ?? "") !== ""),
    snap: (info.DockerRootDir ?? "").startsWith("/var/snap/") || (env["SNAP_NAME"] ?? "") === "docker",
  };
}

function podmanEngine(info: PodmanInfo): Engine | undefined {
  const { host } = info;
  if (host === undefined) return undefined;
  return {
    name: "podman",
    version: info.version?.Version ?? "",
    flavour: undefined,
    rootless: host.security?.rootless ?? false,
    wsl: /microsoft|WSL2/i.test(host.kernel ?? ""),
    cgroupVersion: host.cgroupVersion === "v2" ? 2 : host.cgroupVersion === "v1" ? 1 : undefined,
    architecture: linuxArchitecture(host.arch ?? ""),
    memory: host.memTotal,
    cpus: host.cpus,
    rootDir: info.store?.graphRoot,
    operatingSystem: host.os ?? "",
    proxy: undefined,
    snap: false,
  };
}

function flavourOf({ OperatingSystem = "", Name = "" }: DockerInfo): Engine["flavour"] {
  if (/docker desktop/i.test(OperatingSystem) || Name === "docker-desktop") return "Docker Desktop";
  if (/rancher desktop/i.test(OperatingSystem) || /rancher-desktop/i.test(Name)) return "Rancher Desktop";
  if (/orbstack/i.test(OperatingSystem) || Name === "orbstack") return "OrbStack";
  if (/^(lima-)?colima/i.test(Name)) return "Colima";
  return undefined;
}

function linuxArchitecture(name: string): string {
  return name === "amd64" ? "x86_64" : name === "arm64" ? "aarch64" : name;
}
