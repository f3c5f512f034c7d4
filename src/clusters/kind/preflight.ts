import { statfs } from "node:fs/promises";
import { PracticeError } from "../../messages/practice-error.ts";
import type { ClusterShape } from "../provider.ts";
import type { Engine } from "./engine.ts";

const GIB = 1024 ** 3;

/** Bytes a cluster needs: the control plane about 1 GiB, each further node a quarter (measured on kind, idle). */
export function memoryNeeded({ controlPlanes, workers }: ClusterShape): number {
  return controlPlanes * GIB + workers * 0.25 * GIB;
}

/** A node image takes 1 GiB unpacked, and the nodes write as much again. */
const DISK_NEEDED = 3 * GIB;

/**
 * @param folder what will be mounted into the nodes
 *
 * Throws, before anything is made, when what the engine says of itself shows that the nodes can't come up: the kubelet
 * of Kubernetes 1.35 and later refuses cgroup v1, and too little memory or disk ends in time-outs that don't name it.
 */
export async function assertCanHost(engine: Engine, image: string, shape: ClusterShape, folder: string): Promise<void> {
  const values = { log: "", platform: process.platform };
  // A snap sees the home folder but nothing in it whose name begins with a dot, and mounts an empty folder instead.
  if (engine.snap && folder.split("/").some((part) => part.startsWith("."))) {
    throw new PracticeError("environment", "clusters.kind.snap-home", { ...values, folder });
  }
  const minor = Number(/:v1\.(\d+)/.exec(image)?.[1] ?? 0);
  if (engine.cgroupVersion === 1 && (minor >= 35 || engine.rootless)) {
    const key = engine.wsl ? "wsl" : engine.rootless ? "rootless-cgroup" : "cgroup-v1";
    throw new PracticeError("environment", `clusters.kind.failure.${key}`, values);
  }
  if (engine.memory !== undefined && engine.memory < memoryNeeded(shape)) {
    throw new PracticeError("environment", "clusters.kind.memory", {
      ...values,
      has: gib(engine.memory),
      needed: gib(memoryNeeded(shape)),
      engine: engine.flavour ?? engine.name,
    });
  }
  const free = await freeDisk(engine);
  if (free !== undefined && free < DISK_NEEDED) {
    throw new PracticeError("environment", "clusters.kind.disk", {
      ...values,
      has: gib(free),
      needed: gib(DISK_NEEDED),
      folder: engine.rootDir,
      engine: engine.name,
    });
  }
}

/** Bytes free where the engine keeps its images; undefined where that is another machine's disk. */
export async function freeDisk(engine: Engine): Promise<number | undefined> {
  if (process.platform !== "linux" || engine.flavour !== undefined || engine.rootDir === undefined) return undefined;
  try {
    const { bavail, bsize } = await statfs(engine.rootDir);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

function gib(bytes: number): string {
  return (bytes / GIB).toFixed(1);
}
