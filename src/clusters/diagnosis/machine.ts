import { constants } from "node:fs";
import { access, mkdir, readFile, statfs } from "node:fs/promises";
import { totalmem } from "node:os";
import { dirname } from "node:path";
import { message } from "../../messages/catalogue.ts";
import type { Engine } from "../kind/engine.ts";
import { freeDisk, memoryNeeded } from "../kind/preflight.ts";
import type { Finding } from "./finding.ts";

const GIB = 1024 ** 3;
const KIND_DISK = 3 * GIB;
const EMBEDDED_DISK = 0.1 * GIB;
/** kind's advice for clusters of several nodes. */
const INOTIFY = { instances: 512, watches: 524_288 };
const DEFAULT_SHAPE = { controlPlanes: 1, workers: 2 };

/** Is Node new enough? The launcher refuses an older one, so this is a matter of showing it. */
export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  const detail = message(ok ? "clusters.doctor.node.ok" : "clusters.doctor.node.old", { version });
  const fix = message("clusters.doctor.node.fix");
  return { id: "node", neededFor: "everything", detail, ...(ok ? { state: "ok" } : { state: "missing", fix }) };
}

export async function checkHome(home: string): Promise<Finding> {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await access(home, constants.W_OK | constants.X_OK);
    return { id: "home", state: "ok", detail: message("clusters.doctor.home.ok", { home }), neededFor: "everything" };
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    const detail = message("clusters.doctor.home.unwritable", { home, reason });
    return { id: "home", state: "missing", detail, fix: message("clusters.doctor.home.fix"), neededFor: "everything" };
  }
}

/** Memory of the machine, or of the engine's virtual machine where it has one. */
export function checkMemory(engine: Engine | undefined, machine = totalmem()): Finding {
  const bytes = engine?.memory ?? machine;
  const needed = memoryNeeded(DEFAULT_SHAPE);
  const values = { has: gib(bytes), needed: gib(needed), platform: process.platform };
  if (bytes >= needed) {
    return { id: "memory", state: "ok", detail: message("clusters.doctor.memory.ok", values), neededFor: "kind" };
  }
  const detail = message("clusters.doctor.memory.little", values);
  return {
    id: "memory",
    state: "warning",
    detail,
    fix: message("clusters.doctor.memory.fix", values),
    neededFor: "kind",
  };
}

export async function checkDisk(home: string, engine: Engine | undefined): Promise<Finding> {
  const images = engine === undefined ? undefined : await freeDisk(engine);
  const own = await freeAt(home);
  const bytes = images ?? own;
  const needed = engine === undefined ? EMBEDDED_DISK : KIND_DISK;
  const values = { has: bytes === undefined ? "?" : gib(bytes), needed: gib(needed), engine: engine?.name ?? "docker" };
  const neededFor = engine === undefined ? "embedded" : "kind";
  if (bytes === undefined || bytes >= needed) {
    return { id: "disk", state: "ok", detail: message("clusters.doctor.disk.ok", values), neededFor };
  }
  const detail = message("clusters.doctor.disk.little", values);
  return { id: "disk", state: "warning", detail, fix: message("clusters.doctor.disk.fix", values), neededFor };
}

async function freeAt(path: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch {
    return path === dirname(path) ? undefined : freeAt(dirname(path));
  }
}

/** Limits on file watches, which all containers of a machine share; undefined where the kernel is another machine's. */
export async function checkInotify(folder = "/proc/sys/fs/inotify"): Promise<Finding | undefined> {
  const read = async (name: string) => Number(await readFile(`${folder}/${name}`, "utf8").catch(() => "NaN"));
  const [instances, watches] = await Promise.all([read("max_user_instances"), read("max_user_watches")]);
  if (Number.isNaN(instances) || Number.isNaN(watches)) return undefined;
  const values = { instances, watches };
  if (instances >= INOTIFY.instances && watches >= INOTIFY.watches) {
    return { id: "inotify", state: "ok", detail: message("clusters.doctor.inotify.ok", values), neededFor: "kind" };
  }
  const detail = message("clusters.doctor.inotify.low", values);
  return { id: "inotify", state: "warning", detail, fix: message("clusters.doctor.inotify.fix"), neededFor: "kind" };
}

/** The cgroup version the engine reports, else this Linux's own. */
export async function checkCgroup(engine: Engine | undefined): Promise<Finding | undefined> {
  const version = engine?.cgroupVersion ?? (await ownCgroupVersion());
  if (version === undefined) return undefined;
  if (version === 2)
    return { id: "cgroup", state: "ok", detail: message("clusters.doctor.cgroup.ok"), neededFor: "kind" };
  const fix = message(engine?.wsl ? "clusters.kind.failure.wsl.hint" : "clusters.kind.failure.cgroup-v1.hint");
  return { id: "cgroup", state: "missing", detail: message("clusters.doctor.cgroup.v1"), fix, neededFor: "kind" };
}

async function ownCgroupVersion(): Promise<1 | 2 | undefined> {
  if (process.platform !== "linux") return undefined;
  const exists = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );
  if (await exists("/sys/fs/cgroup/cgroup.controllers")) return 2;
  return (await exists("/sys/fs/cgroup")) ? 1 : undefined;
}

/** A proxy that would catch the cluster's addresses inside kind's nodes. */
export function checkProxy(env: NodeJS.ProcessEnv, engine: Engine | undefined): Finding {
  const read = (name: string) => env[name] || env[name.toLowerCase()] || undefined;
  const proxy = read("HTTPS_PROXY") ?? read("HTTP_PROXY") ?? engine?.proxy;
  if (proxy === undefined) {
    return { id: "proxy", state: "ok", detail: message("clusters.doctor.proxy.none"), neededFor: "kind" };
  }
  const exceptions = (read("NO_PROXY") ?? "").split(",").map((entry) => entry.trim());
  const values = { proxy: proxy.replace(/\/\/[^@/]*@/, "//") };
  if (exceptions.includes("*") || exceptions.some((entry) => /^(10\.96|10\.0\.0\.0\/8|10\.)/.test(entry))) {
    return { id: "proxy", state: "ok", detail: message("clusters.doctor.proxy.ok", values), neededFor: "kind" };
  }
  const detail = message("clusters.doctor.proxy.catches", values);
  return { id: "proxy", state: "warning", detail, fix: message("clusters.kind.failure.proxy.hint"), neededFor: "kind" };
}

function gib(bytes: number): string {
  return (bytes / GIB).toFixed(1);
}
