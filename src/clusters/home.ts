import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeAtomically } from "./files/atomic-write.ts";

/** Where the runner keeps what it knows of clusters, under its home folder (`~/.k8s-practice`). */
export function clusterPaths(home: string) {
  const root = join(home, "clusters");
  return {
    root,
    /** Which kind of cluster `auto` chose for each task. */
    choices: join(root, "choices.json"),
    /** The kubectl context that was current before ours. */
    previousContexts: join(root, "previous-contexts.json"),
    /** Contexts of other people's clusters that the learner agreed to. */
    consents: join(root, "consents.json"),
    embedded: embeddedPaths(join(root, "embedded")),
    kind: kindPaths(join(root, "kind")),
    context: join(root, "contexts"),
    lock: (name: string) => join(root, `${name}.lock`),
  };
}

function embeddedPaths(root: string) {
  const data = join(root, "data");
  return {
    root,
    data,
    process: join(data, "process.json"),
    kubeconfig: join(data, "kubeconfig"),
    audit: join(data, "audit"),
    /** Written by the runner at each start: which build runs, with which nodes. */
    started: join(root, "started.json"),
    log: join(root, "embedded.log"),
  };
}

function kindPaths(root: string) {
  return {
    root,
    state: join(root, "state.json"),
    config: join(root, "kind.yaml"),
    auditPolicy: join(root, "audit-policy.yaml"),
    audit: join(root, "audit"),
    kubeconfig: join(root, "kubeconfig"),
    log: join(root, "kind.log"),
    exportedLogs: join(root, "logs"),
  };
}

/** The JSON in a file of ours; undefined when it is missing or damaged (these files can all be made again). */
export async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as T;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined || code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

export async function writeJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeAtomically(path, `${JSON.stringify(value, undefined, 2)}\n`);
}
