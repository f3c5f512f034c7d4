import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type KubeClient, StatusError } from "../client/index.ts";
import { type Message, message } from "../messages/catalogue.ts";
import { PracticeError } from "../messages/practice-error.ts";
import type { Say } from "../messages/translator.ts";
import { fillNodes } from "./fill-nodes.ts";
import type { Manifest } from "./manifest.ts";
import { formatProblem, type Problem } from "./problem.ts";
import { resourcePath } from "./resource-path.ts";
import type { Task } from "./task.ts";
import { readYaml } from "./yaml-file.ts";

interface PlacedManifest {
  manifest: Manifest;
  file: string;
  line: number;
}

/** Marks what a task made; the value is its name. */
export const taskLabel = "k8s-practice/task";
const fieldManager = "k8s-practice";

/** The objects under start/, in name order, in the task's namespace. */
export async function readStartState(task: Task, say: Say): Promise<PlacedManifest[]> {
  const folder = join(task.folder, "start");
  const names = (await readdir(folder).catch(() => [])).filter((name) => /\.ya?ml$/.test(name)).sort();
  const problems: Problem[] = [];
  const manifests: PlacedManifest[] = [];
  for (const name of names) {
    const file = join(folder, name);
    const { documents, problems: found } = readYaml(file, await readFile(file, "utf8"));
    problems.push(...found);
    for (const document of documents) {
      if (document.value === null) continue;
      const { line, column } = document.place([]);
      const manifest = document.value as Manifest;
      if (typeof manifest !== "object" || !manifest.apiVersion || !manifest.kind || !manifest.metadata?.name) {
        problems.push({ file, line, column, text: message("tasks.manifest-incomplete") });
      } else manifests.push({ manifest, file, line });
    }
  }
  if (problems.length > 0) throw invalid(task, problems, say);
  return manifests;
}

/** The images that the start state's containers run, each once. */
export async function imagesOf(task: Task, say: Say): Promise<string[]> {
  const images = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { image } = value as { image?: unknown };
    if (typeof image === "string") images.add(image);
    for (const child of Object.values(value)) collect(child);
  };
  for (const { manifest } of await readStartState(task, say)) collect(manifest["spec"]);
  return [...images];
}

/**
 * Applies a task's namespace and start state by server-side apply as field manager k8s-practice.
 *
 * @throws PracticeError of kind usage when a manifest is wrong; of kind environment when the cluster is lost
 */
export async function applyStartState(
  client: KubeClient,
  task: Task,
  { say, signal }: { say: Say; signal: AbortSignal },
): Promise<void> {
  const { namespace } = task.spec;
  const manifests = await readStartState(task, say);
  await apply(client, {
    path: `/api/v1/namespaces/${namespace}`,
    manifest: {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: namespace, labels: { [taskLabel]: task.name } },
    },
    signal,
  });
  for (const { manifest, file, line } of manifests) {
    const problem = (text: Message) => invalid(task, [{ file, line, text }], say);
    const { kind, metadata } = manifest;
    const resource = await resourcePath(client, manifest, signal);
    if (resource === undefined)
      throw problem(message("tasks.manifest-kind", { kind, apiVersion: manifest.apiVersion }));
    if (resource.namespaced && (metadata.namespace ?? namespace) !== namespace) {
      const values = { kind, name: metadata.name, namespace: metadata.namespace, own: namespace };
      throw problem(message("tasks.manifest-namespace", values));
    }
    const labels = { ...metadata.labels, [taskLabel]: task.name };
    const filled = await fillNodes(client, manifest, { namespace, signal }).catch((error: unknown) => {
      if (!(error instanceof RangeError)) throw error;
      throw problem(message("tasks.manifest-cpu-share", { kind, name: metadata.name, reason: error.message }));
    });
    const placed = { ...filled, metadata: { ...metadata, labels, ...(resource.namespaced ? { namespace } : {}) } };
    try {
      const path = resource.namespaced
        ? `${resource.base}/namespaces/${namespace}/${resource.plural}/${metadata.name}`
        : `${resource.base}/${resource.plural}/${metadata.name}`;
      await apply(client, { path, manifest: placed, signal });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      throw problem(message("tasks.manifest-refused", { kind, name: metadata.name, reason: error.message }));
    }
  }
}

async function apply(
  client: KubeClient,
  { path, manifest, signal }: { path: string; manifest: Manifest; signal: AbortSignal },
): Promise<void> {
  await client.call({
    method: "PATCH",
    path,
    query: { fieldManager, force: "true", fieldValidation: "Strict" },
    contentType: "application/apply-patch+yaml",
    body: manifest,
    signal,
  });
}

function invalid(task: Task, problems: Problem[], say: Say): PracticeError {
  const details = problems.map((problem) => formatProblem(problem, say, process.cwd()));
  return new PracticeError(
    "usage",
    "tasks.manifest-invalid",
    { task: task.name, folder: join(task.folder, "start") },
    { details },
  );
}
