import { setTimeout as delay } from "node:timers/promises";
import { message } from "../../messages/catalogue.ts";
import { PracticeError } from "../../messages/practice-error.ts";
import { type ApiResponse, type Endpoint, requestApi } from "../api-request.ts";
import type { ClusterShape, Progress, TaintShape } from "../provider.ts";

const MARKER_PATH = "/api/v1/namespaces/kube-system/configmaps";
const MARKER_NAME = "k8s-practice";
const POLL_MS = 500;
const PATIENCE_MS = 20_000;

interface NodeObject {
  metadata: { name: string; labels?: Record<string, string> };
  spec?: { taints?: { key: string; value?: string; effect: string }[] };
  status?: { conditions?: { type: string; status: string }[] };
}

/**
 * One request that is asked again, with backoff, while the answer is "not now": no connection, 429 or 5xx. Any other
 * status resolves. Throws PracticeError `clusters.kind.lost` with the last answer when `patienceMs` are over.
 */
async function send(
  endpoint: Endpoint,
  method: string,
  path: string,
  options: { body?: unknown; contentType?: string; patienceMs?: number } = {},
): Promise<ApiResponse> {
  const { patienceMs = PATIENCE_MS, ...request } = options;
  const deadline = Date.now() + patienceMs;
  for (let wait = 100; ; wait = Math.min(wait * 2, 2_000)) {
    let reason: string;
    try {
      const answer = await requestApi(endpoint, method, path, { ...request, timeoutMs: 5_000 });
      if (answer.status !== 429 && answer.status < 500) return answer;
      reason = `HTTP ${answer.status}`;
    } catch (error) {
      reason = (error as Error).message;
    }
    if (Date.now() + wait > deadline) throw new PracticeError("environment", "clusters.kind.lost", { reason });
    await delay(wait);
  }
}

/** @throws PracticeError `clusters.kind.lost` for an answer that no other try would change */
function expectSuccess({ status, body }: ApiResponse, what: string): void {
  if (status < 300) return;
  const text = (body as { message?: string } | undefined)?.message ?? `HTTP ${status}`;
  throw new PracticeError("environment", "clusters.kind.lost", { reason: `${what}: ${text}` });
}

/**
 * The id of the cluster's marker; undefined when it has none.
 * @param patienceMs 0: asked once
 */
export async function readMarker(endpoint: Endpoint, patienceMs?: number): Promise<string | undefined> {
  const answer = await send(endpoint, "GET", `${MARKER_PATH}/${MARKER_NAME}`, { patienceMs });
  if (answer.status === 404) return undefined;
  expectSuccess(answer, `configmap ${MARKER_NAME}`);
  return (answer.body as { data?: { id?: string } }).data?.id;
}

/** Marks the cluster as ours. */
export async function writeMarker(endpoint: Endpoint, id: string): Promise<void> {
  const body = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: MARKER_NAME, labels: { "app.kubernetes.io/managed-by": "k8s-practice" } },
    data: { id },
  };
  const answer = await send(endpoint, "POST", MARKER_PATH, { body });
  if (answer.status !== 409) expectSuccess(answer, `configmap ${MARKER_NAME}`);
}

export interface WaitOptions {
  timeoutMs: number;
  progress: Progress;
  signal?: AbortSignal;
}

/**
 * Waits until the API server answers, all of `nodes` are Ready and the default ServiceAccount exists (without it no Pod
 * can be made). Throws PracticeError `clusters.kind.not-ready` with the last state seen.
 */
export async function waitUntilUsable(endpoint: Endpoint, nodes: string[], options: WaitOptions): Promise<string> {
  const { timeoutMs, progress, signal } = options;
  const deadline = Date.now() + timeoutMs;
  let last = "";
  for (;;) {
    signal?.throwIfAborted();
    const state = await usable(endpoint, nodes).catch((error: Error) => ({
      done: false as const,
      seen: error.message,
      ready: 0,
    }));
    if (state.done) return state.version;
    last = state.seen;
    const values = { ready: state.ready, total: nodes.length };
    progress.phase(message("clusters.kind.phase.ready", values), 0.8 + (0.2 * state.ready) / nodes.length);
    if (Date.now() > deadline) {
      throw new PracticeError("environment", "clusters.kind.not-ready", { seconds: timeoutMs / 1000, seen: last });
    }
    await delay(POLL_MS, undefined, { signal });
  }
}

type Usable = { done: true; version: string } | { done: false; seen: string; ready: number };

async function usable(endpoint: Endpoint, names: string[]): Promise<Usable> {
  const answer = await requestApi(endpoint, "GET", "/api/v1/nodes", { timeoutMs: 5_000 });
  if (answer.status !== 200) return { done: false, seen: `HTTP ${answer.status}`, ready: 0 };
  const nodes = (answer.body as { items: NodeObject[] }).items;
  const ready = nodes.filter(isReady).map((node) => node.metadata.name);
  const waiting = names.filter((name) => !ready.includes(name));
  if (waiting.length > 0)
    return { done: false, seen: `not Ready: ${waiting.join(", ")}`, ready: names.length - waiting.length };
  const account = await requestApi(endpoint, "GET", "/api/v1/namespaces/default/serviceaccounts/default");
  if (account.status !== 200) return { done: false, seen: "no default ServiceAccount yet", ready: names.length };
  const version = await requestApi(endpoint, "GET", "/version");
  return { done: true, version: (version.body as { gitVersion?: string }).gitVersion ?? "" };
}

function isReady(node: NodeObject): boolean {
  return (node.status?.conditions ?? []).some(({ type, status }) => type === "Ready" && status === "True");
}

/** Gives nodes the labels and taints of the shape that they lack; takes none away. */
export async function applyShape(endpoint: Endpoint, shape: ClusterShape): Promise<void> {
  if (shape.nodes === undefined) return;
  const answer = await send(endpoint, "GET", "/api/v1/nodes");
  for (const node of (answer.body as { items?: NodeObject[] }).items ?? []) {
    const role = node.metadata.name.includes("-control-plane") ? "controlPlane" : "worker";
    const wanted = shape.nodes[role];
    const labels = Object.entries(wanted?.labels ?? {}).filter(([key, value]) => node.metadata.labels?.[key] !== value);
    const present = node.spec?.taints ?? [];
    const taints = (wanted?.taints ?? []).filter((taint) => !present.some((other) => sameTaint(other, taint)));
    if (labels.length === 0 && taints.length === 0) continue;
    const body = {
      ...(labels.length === 0 ? {} : { metadata: { labels: Object.fromEntries(labels) } }),
      ...(taints.length === 0 ? {} : { spec: { taints: [...present, ...taints] } }),
    };
    const contentType = "application/merge-patch+json";
    const patched = await send(endpoint, "PATCH", `/api/v1/nodes/${node.metadata.name}`, { body, contentType });
    expectSuccess(patched, `node ${node.metadata.name}`);
  }
}

function sameTaint(a: { key: string; value?: string; effect: string }, b: TaintShape): boolean {
  return a.key === b.key && a.effect === b.effect && (a.value ?? "") === (b.value ?? "");
}
