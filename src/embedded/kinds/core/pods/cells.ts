import type { V1ContainerStatus, V1Pod } from "@kubernetes/client-node";
import { ageSince, humanDuration } from "../../../api/duration.ts";
import type { Wire } from "../../../api/object.ts";
import type { Kind } from "../../define.ts";

type Pod = Kind<V1Pod>;
type ContainerStatus = Wire<V1ContainerStatus>;

/** Counts on the way to the READY, STATUS and RESTARTS cells. */
interface Progress {
  reason: string;
  ready: number;
  restarts: number;
  lastRestart: number;
  initializing: boolean;
}

/** READY, STATUS and RESTARTS as pkg/printers/internalversion prints a Pod. */
export function cells(pod: Pod, now: number): unknown[] {
  const { metadata, spec, status } = pod;
  const sidecars = (spec?.initContainers ?? []).filter((c) => c.restartPolicy === "Always").length;
  const progress = containerProgress(pod, initProgress(pod));
  const total = (spec?.containers ?? []).length + sidecars;
  return [
    metadata.name,
    `${progress.ready}/${total}`,
    statusCell(pod, progress.reason),
    restartsCell(progress, now),
    ageSince(metadata.creationTimestamp, now),
    status?.podIPs?.[0]?.ip || "<none>",
    spec?.nodeName || "<none>",
    status?.nominatedNodeName || "<none>",
    readinessGates(pod),
  ];
}

function initialReason({ status }: Pod): string {
  const gated = status?.conditions?.some((c) => c.type === "PodScheduled" && c.reason === "SchedulingGated");
  return gated ? "SchedulingGated" : status?.reason || status?.phase || "";
}

function initProgress(pod: Pod): Progress & { sidecarRestarts: number; sidecarLastRestart: number } {
  const inits = pod.spec?.initContainers ?? [];
  const sidecars = new Set(inits.filter((c) => c.restartPolicy === "Always").map((c) => c.name));
  const out = {
    reason: initialReason(pod),
    ready: 0,
    restarts: 0,
    lastRestart: 0,
    sidecarRestarts: 0,
    sidecarLastRestart: 0,
    initializing: false,
  };
  for (const [i, container] of (pod.status?.initContainerStatuses ?? []).entries()) {
    const sidecar = sidecars.has(container.name);
    out.restarts += container.restartCount;
    out.lastRestart = Math.max(out.lastRestart, lastTermination(container));
    if (sidecar) {
      out.sidecarRestarts += container.restartCount;
      out.sidecarLastRestart = Math.max(out.sidecarLastRestart, lastTermination(container));
    }
    const { terminated, waiting } = container.state ?? {};
    if (terminated?.exitCode === 0) continue;
    if (sidecar && container.started) {
      if (container.ready) out.ready += 1;
      continue;
    }
    if (terminated) out.reason = `Init:${terminationReason(terminated)}`;
    else if (waiting?.reason && waiting.reason !== "PodInitializing") out.reason = `Init:${waiting.reason}`;
    else out.reason = `Init:${i}/${inits.length}`;
    out.initializing = true;
    break;
  }
  return out;
}

function containerProgress(pod: Pod, init: ReturnType<typeof initProgress>): Progress {
  const initialized = pod.status?.conditions?.some((c) => c.type === "Initialized" && c.status === "True");
  if (init.initializing && !initialized) return init;
  const out = { ...init, restarts: init.sidecarRestarts, lastRestart: init.sidecarLastRestart };
  let running = false;
  let failure = "";
  for (const container of [...(pod.status?.containerStatuses ?? [])].reverse()) {
    out.restarts += container.restartCount;
    out.lastRestart = Math.max(out.lastRestart, lastTermination(container));
    const { waiting, terminated, running: runs } = container.state ?? {};
    if (waiting?.reason) out.reason = waiting.reason;
    else if (terminated) {
      out.reason = terminationReason(terminated);
      if (terminated.exitCode !== 0) failure = out.reason;
    } else if (container.ready && runs) {
      running = true;
      out.ready += 1;
    }
  }
  if (out.reason === "Completed") {
    const ready = pod.status?.conditions?.some((c) => c.type === "Ready" && c.status === "True");
    if (running && ready) out.reason = "Running";
    else if (failure !== "") out.reason = failure;
    else if (running) out.reason = "NotReady";
  }
  return out;
}

function terminationReason(terminated: { reason?: string; signal?: number; exitCode: number }): string {
  return terminated.reason || (terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`);
}

function lastTermination(container: ContainerStatus): number {
  const finished = container.lastState?.terminated?.finishedAt;
  return finished ? Date.parse(finished) : 0;
}

function statusCell({ metadata, status }: Pod, reason: string): string {
  if (!metadata.deletionTimestamp) return reason;
  if (status?.reason === "NodeLost") return "Unknown";
  return status?.phase === "Succeeded" || status?.phase === "Failed" ? reason : "Terminating";
}

function restartsCell({ restarts, lastRestart }: Progress, now: number): string {
  return restarts !== 0 && lastRestart !== 0
    ? `${restarts} (${humanDuration(now - lastRestart)} ago)`
    : String(restarts);
}

function readinessGates({ spec, status }: Pod): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return "<none>";
  const passed = gates.filter((gate) =>
    status?.conditions?.some((c) => c.type === gate.conditionType && c.status === "True"),
  );
  return `${passed.length}/${gates.length}`;
}
