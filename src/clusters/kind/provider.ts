import { randomUUID } from "node:crypto";
import { appendFile, mkdir, rm } from "node:fs/promises";
import { message } from "../../messages/catalogue.ts";
import { PracticeError } from "../../messages/practice-error.ts";
import { type Endpoint, readEndpoint } from "../api-request.ts";
import { withLock } from "../files/process-lock.ts";
import { clusterPaths, readJson, writeJson } from "../home.ts";
import { runProgram } from "../program/programs.ts";
import type { Availability, Cluster, ClusterProvider, ClusterShape, Progress } from "../provider.ts";
import { kindTrace } from "./audit.ts";
import { KIND_CLUSTER, KIND_CONTEXT, nodeNames } from "./config.ts";
import { callEngine, type EngineCall, EngineError, type NodeContainer, nodeContainers } from "./containers.ts";
import { auditFolder, createCluster, deleteCluster } from "./create.ts";
import { detectEngine, type Engine, type EngineLook, kindEnvironment } from "./engine.ts";
import { failureError } from "./failures.ts";
import { isOnHost, loadIntoNodes, pullImage } from "./images.ts";
import { applyShape, readMarker, waitUntilUsable, writeMarker } from "./kubernetes.ts";
import { nodeImageFor, oldestKind, parseKindVersion } from "./node-images.ts";
import { assertCanHost } from "./preflight.ts";
import { countRoles, missingNodes } from "./shape.ts";
import type { KindState } from "./state.ts";

const READY_TIMEOUT_MS = 5 * 60_000;

export interface KindOptions {
  home: string;
  env: NodeJS.ProcessEnv;
}

type UpOptions = { recreate?: boolean; signal?: AbortSignal };

/** A cluster of real Kubernetes nodes in containers, made by kind (https://kind.sigs.k8s.io). */
export function kindProvider({ home, env }: KindOptions): ClusterProvider {
  const paths = clusterPaths(home);
  const files = paths.kind;
  const lock = paths.lock("kind");
  const readState = () => readJson<KindState>(files.state);

  async function find(): Promise<Cluster | undefined> {
    const state = await readState();
    if (state?.phase !== "ready") return undefined;
    const endpoint = await readEndpoint(files.kubeconfig, KIND_CONTEXT).catch(() => undefined);
    if (endpoint === undefined) return undefined;
    const marker = await readMarker(endpoint, 0).catch(() => undefined);
    return marker === state.id ? clusterOf(state) : undefined;
  }

  async function up(shape: ClusterShape, progress: Progress, options: UpOptions = {}): Promise<Cluster> {
    const { signal } = options;
    await mkdir(files.root, { recursive: true, mode: 0o700 });
    const onWait = () => progress.phase(message("clusters.waiting"));
    return withLock(lock, () => upLocked(shape, progress, options), { signal, onWait, timeoutMs: 20 * 60_000 });
  }

  async function upLocked(shape: ClusterShape, progress: Progress, { recreate, signal }: UpOptions): Promise<Cluster> {
    progress.phase(message("clusters.kind.phase.engine"));
    const engine = await requireEngine(signal);
    const call: EngineCall = { engine: engine.name, env, signal };
    const state = await readState();
    const containers = await asKnownFailure(() => nodeContainers(call));
    if (containers.length > 0) {
      assertOurs(containers, state);
      const wrong =
        state === undefined || state.phase === "creating" ? "half-made" : differences(containers, state, shape);
      if (wrong === undefined && !recreate) return reuse(call, state!, containers, shape, progress);
      if (wrong !== undefined && wrong !== "half-made" && !recreate) throw wrong;
      progress.phase(message(wrong === "half-made" ? "clusters.kind.phase.half-made" : "clusters.kind.phase.removing"));
      await deleteCluster(files, kindEnvironment(engine, env, files.root));
    }
    return create(engine, call, shape, progress);
  }

  async function create(engine: Engine, call: EngineCall, shape: ClusterShape, progress: Progress): Promise<Cluster> {
    const image = await nodeImage();
    await assertCanHost(engine, image, shape, files.root);
    await pullImage(call, image, progress);
    const state: KindState = {
      schema: 1,
      id: randomUUID(),
      phase: "creating",
      engine: engine.name,
      snap: engine.snap,
      image,
      shape,
      containers: {},
      loaded: [],
    };
    await writeJson(files.state, state);
    const kindEnv = kindEnvironment(engine, env, files.root);
    const clusterId = state.id;
    try {
      await createCluster({ paths: files, env: kindEnv, image, shape, clusterId, progress, signal: call.signal });
    } catch (error) {
      await rm(files.state, { force: true });
      throw error;
    }
    const containers = await asKnownFailure(() => nodeContainers(call));
    const created: KindState = {
      ...state,
      phase: "created",
      containers: Object.fromEntries(containers.map(({ name, id }) => [name, id])),
    };
    await writeJson(files.state, created);
    return reuse(call, created, containers, shape, progress);
  }

  async function reuse(
    call: EngineCall,
    state: KindState,
    containers: NodeContainer[],
    shape: ClusterShape,
    progress: Progress,
  ): Promise<Cluster> {
    await startStopped(call, containers, progress);
    let endpoint = await requireEndpoint().catch(() => undefined);
    if (endpoint === undefined) {
      await exportKubeconfig(call);
      endpoint = await requireEndpoint();
    }
    const names = containers.map(({ name }) => name).filter((name) => /-(control-plane|worker)\d*$/.test(name));
    const wait = { timeoutMs: READY_TIMEOUT_MS, progress, signal: call.signal };
    const version = await waitUntilUsable(endpoint, names, wait);
    if (state.phase === "created") await writeMarker(endpoint, state.id);
    if ((await readMarker(endpoint)) !== state.id) throw new PracticeError("environment", "clusters.kind.foreign");
    await applyShape(endpoint, shape);
    const now: KindState = {
      ...state,
      phase: "ready",
      version,
      shape: { ...countRoles(names), nodes: shape.nodes ?? state.shape.nodes },
    };
    await writeJson(files.state, now);
    return clusterOf(now);
  }

  /** After a reboot or an engine's restart the nodes' containers are stopped; control planes are started first. */
  async function startStopped(call: EngineCall, containers: NodeContainer[], progress: Progress): Promise<void> {
    const stopped = containers.filter(({ state }) => state === "stopped").map(({ name }) => name);
    const paused = containers.filter(({ state }) => state === "paused").map(({ name }) => name);
    if (stopped.length + paused.length === 0) return;
    progress.phase(message("clusters.kind.phase.starting", { count: stopped.length + paused.length }));
    await asKnownFailure(async () => {
      if (paused.length > 0) await callEngine(call, ["unpause", ...paused]);
      if (stopped.length > 0) await callEngine(call, ["start", ...stopped]);
    });
  }

  async function exportKubeconfig(call: EngineCall): Promise<void> {
    const kindEnv = kindEnvironment({ name: call.engine, snap: false }, env, files.root);
    const args = ["export", "kubeconfig", "--name", KIND_CLUSTER, "--kubeconfig", files.kubeconfig];
    const result = await runProgram("kind", args, { env: kindEnv, timeoutMs: 60_000, signal: call.signal });
    if (result.code !== 0) throw failureError(`${result.stderr}\n${result.stdout}`, files.log);
  }

  async function requireEndpoint(): Promise<Endpoint> {
    const endpoint = await readEndpoint(files.kubeconfig, KIND_CONTEXT).catch(() => undefined);
    if (endpoint !== undefined) return endpoint;
    throw new PracticeError("environment", "clusters.kubeconfig.ours", {
      file: files.kubeconfig,
      context: KIND_CONTEXT,
    });
  }

  async function requireEngine(signal?: AbortSignal): Promise<Engine> {
    const look = await detectEngine(env, signal);
    if (look.engine !== undefined) return look.engine;
    throw engineError(look, files.log);
  }

  async function nodeImage(): Promise<string> {
    const version = await kindVersion(env);
    if (version === undefined)
      throw new PracticeError("environment", "clusters.kind.missing", { platform: process.platform });
    const image = nodeImageFor(version, env["K8S_PRACTICE_NODE_IMAGE"]);
    if (image !== undefined) return image;
    const values = { version: version.join("."), oldest: oldestKind, platform: process.platform };
    throw new PracticeError("environment", "clusters.kind.too-old", values);
  }

  /** An engine's command that fails for a known cause is shown as that cause. */
  async function asKnownFailure<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof EngineError ? failureError(error.output, files.log, error) : error;
    }
  }

  /**
   * Ours: made by the state's `kind create` (the same containers), or with our folder mounted. Half a cluster without a
   * control plane has no mount to tell by; then the state's word is taken that we were making it.
   */
  function assertOurs(containers: NodeContainer[], state: KindState | undefined): void {
    const known = new Set(Object.values(state?.containers ?? {}));
    const mine = (container: NodeContainer) =>
      known.has(container.id) || container.mounts.some((mount) => mount.startsWith(files.audit));
    const headless = !containers.some(({ name }) => name.includes("-control-plane"));
    const ours = containers.some(mine) || (state?.phase === "creating" && headless);
    if (state === undefined || !ours) throw new PracticeError("environment", "clusters.kind.foreign");
  }

  function differences(containers: NodeContainer[], state: KindState, shape: ClusterShape): PracticeError | undefined {
    const names = containers.map(({ name }) => name);
    const missing = missingNodes(names, shape);
    const lost = Object.keys(state.containers).filter((name) => !names.includes(name));
    if (missing.length === 0 && lost.length === 0) return undefined;
    const has = countRoles(names);
    return new PracticeError("environment", "clusters.kind.wrong-shape", {
      controlPlanes: has.controlPlanes,
      workers: has.workers,
      wantedControlPlanes: shape.controlPlanes,
      wantedWorkers: shape.workers,
      missing: [...new Set([...missing, ...lost])].join(", "),
    });
  }

  function clusterOf(state: KindState): Cluster {
    const call: EngineCall = { engine: state.engine, env };
    const controlPlanes = nodeNames({ ...state.shape, workers: 0 });
    const node = async (name: string, ...args: string[]) => {
      const container = assertNode(state, name);
      await asKnownFailure(() => callEngine(call, [...args, container]));
    };
    return {
      id: "kind",
      kubeconfigPath: files.kubeconfig,
      context: KIND_CONTEXT,
      trace: kindTrace(
        controlPlanes.map((name) => ({ node: name, folder: auditFolder(files, name) })),
        call,
      ),
      capabilities: new Set(["trace", "nodes.stop"]),
      owned: true,
      version: state.version ?? "",
      stopNode: (name) => node(name, "stop", "--time", "1"),
      startNode: (name) => node(name, "start"),
      prepareImages: (images, progress, signal) => prepareImages(state, images, progress, signal),
    };
  }

  async function prepareImages(
    state: KindState,
    images: string[],
    progress: Progress,
    signal?: AbortSignal,
  ): Promise<void> {
    const wanted = [...new Set(images)].filter((image) => !state.loaded.includes(image));
    if (wanted.length === 0) return;
    const call: EngineCall = { engine: state.engine, env, signal };
    for (const image of wanted) await pullImage(call, image, progress);
    progress.phase(message("clusters.image.loading", { images: wanted.join(", ") }));
    const kindEnv = kindEnvironment({ name: state.engine, snap: state.snap ?? false }, env, files.root);
    try {
      await loadIntoNodes(call, kindEnv, wanted, files.root);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      // The nodes can pull for themselves; where they can't, their Pods will say so.
      await appendFile(files.log, `${new Date().toISOString()} ${error.message}\n`);
      return;
    }
    state.loaded = [...state.loaded, ...wanted];
    await writeJson(files.state, state);
  }

  async function down(): Promise<boolean> {
    return withLock(lock, async () => {
      const state = await readState();
      if (state === undefined) return false;
      const engine = await requireEngine();
      const containers = await asKnownFailure(() => nodeContainers({ engine: engine.name, env }));
      if (containers.length > 0) {
        assertOurs(containers, state);
        await deleteCluster(files, kindEnvironment(engine, env, files.root));
      }
      await rm(files.root, { recursive: true, force: true });
      return true;
    });
  }

  return { kind: "kind", detect: () => detect(env, files.log), up, find, down };
}

/** kind's version; undefined when it is not installed (or says something we don't understand). */
export async function kindVersion(env: NodeJS.ProcessEnv) {
  const result = await runProgram("kind", ["version"], { env, timeoutMs: 10_000 });
  return result.code === 0 ? parseKindVersion(result.stdout) : undefined;
}

async function detect(env: NodeJS.ProcessEnv, log: string): Promise<Availability> {
  const platform = process.platform;
  // kind is asked first: it answers at once, and without it there is no need to wake an engine.
  const installed = await kindVersion(env);
  if (installed === undefined) {
    const remedy = message("clusters.kind.missing.hint", { platform });
    return { usable: false, reason: message("clusters.kind.missing", { platform }), remedy };
  }
  if (nodeImageFor(installed, env["K8S_PRACTICE_NODE_IMAGE"]) === undefined) {
    const values = { version: installed.join("."), oldest: oldestKind, platform };
    const remedy = message("clusters.kind.too-old.hint", values);
    return { usable: false, reason: message("clusters.kind.too-old", values), remedy };
  }
  const look = await detectEngine(env);
  if (look.engine === undefined) {
    const error = engineError(look, log);
    return { usable: false, reason: error.text, remedy: error.hint };
  }
  const { name, flavour, version } = look.engine;
  return { usable: true, detail: message("clusters.kind.detail", { engine: flavour ?? name, version }) };
}

/** Why no engine can be used. */
export function engineError(look: EngineLook, log: string): PracticeError {
  const platform = process.platform;
  if (look.engine !== undefined || look.installed.length === 0) {
    return new PracticeError("environment", "clusters.kind.no-engine", { platform });
  }
  return failureError(look.output, log);
}

function assertNode(state: KindState, name: string): string {
  if (Object.hasOwn(state.containers, name)) return name;
  throw new PracticeError("usage", "clusters.node.unknown", { name, nodes: Object.keys(state.containers).join(", ") });
}

/** Brings the node image and others to this machine, for work without a network. */
export async function prefetchImages(
  { home, env }: KindOptions,
  images: string[],
  progress: Progress,
  signal?: AbortSignal,
): Promise<{ image: string; pulled: boolean }[]> {
  const look = await detectEngine(env, signal);
  if (look.engine === undefined) throw engineError(look, clusterPaths(home).kind.log);
  const version = await kindVersion(env);
  const node = version === undefined ? undefined : nodeImageFor(version, env["K8S_PRACTICE_NODE_IMAGE"]);
  const call: EngineCall = { engine: look.engine.name, env, signal };
  const result: { image: string; pulled: boolean }[] = [];
  for (const image of [...new Set([...(node === undefined ? [] : [node]), ...images])]) {
    const pulled = !(await isOnHost(call, image));
    if (pulled) await pullImage(call, image, progress);
    result.push({ image, pulled });
  }
  return result;
}
