import { rfc3339 } from "../api/clock.ts";
import { conditionStatus, type Pod, type PodCondition } from "../api/pod.ts";
import type { ContainerLife } from "./container/container-life.ts";
import { observed, type PodStatus, withCondition } from "./pod-status.ts";

/** What a kubelet knows of a Pod of its node, from which the status follows. */
export interface PodFacts {
  init: readonly ContainerLife[];
  app: readonly ContainerLife[];
  ephemeral: readonly ContainerLife[];
  startTime: string;
  hostIp: string;
  /** Absent until the Pod's network is there. */
  podIp: string | undefined;
  sandboxReady: boolean;
  /** Why the kubelet itself ended the Pod: DeadlineExceeded, Evicted, … */
  failure?: { reason: string; message: string };
  /** All containers have been told to stop. */
  stopping: boolean;
}

/** The phase a Pod's containers add up to (https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-phase). */
export function podPhase(facts: PodFacts): "Pending" | "Running" | "Succeeded" | "Failed" {
  const { init, app } = facts;
  if (facts.failure) return "Failed";
  const failedInit = init.some((c) => !c.sidecar && c.over && c.exitCode !== 0);
  const allOver = app.every((c) => c.over || (facts.stopping && !c.running && c.state.terminated));
  if (failedInit) return "Failed";
  if (allOver && app.length > 0) {
    return app.every((c) => c.exitCode === 0) ? "Succeeded" : "Failed";
  }
  if (!initialized(init)) return "Pending";
  const begun = app.some((c) => c.running || c.state.terminated || c.restartCount > 0 || c.last.terminated);
  const waitingFirst = app.some((c) => c.state.waiting && !c.last.terminated && c.restartCount === 0);
  return begun && !waitingFirst ? "Running" : "Pending";
}

/** All init containers have ended well, and the sidecars among them have started. */
export function initialized(init: readonly ContainerLife[]): boolean {
  return init.every((c) => (c.sidecar ? c.started : c.exitCode === 0));
}

/** status of a Pod as its kubelet reports it. */
export function podStatus(pod: Pod, facts: PodFacts, now: number): PodStatus {
  const phase = podPhase(facts);
  const time = rfc3339(now);
  const all = [...facts.init.filter((c) => c.sidecar), ...facts.app];
  const unready = all.filter((c) => !c.ready).map((c) => c.spec.name);
  const pendingInit = facts.init.filter((c) => (c.sidecar ? !c.started : c.exitCode !== 0)).map((c) => c.spec.name);
  let conditions: PodCondition[] = pod.status?.conditions ?? [];
  const put = (type: string, status: boolean, reason?: string, message?: string) => {
    conditions = withCondition(
      conditions,
      {
        type,
        status: status ? "True" : "False",
        ...(reason === undefined ? {} : { reason }),
        ...(message === undefined ? {} : { message }),
        ...observed(pod),
      },
      time,
    );
  };
  const ended = phase === "Succeeded" ? "PodCompleted" : phase === "Failed" ? "PodFailed" : undefined;
  put("PodReadyToStartContainers", facts.sandboxReady && ended === undefined);
  if (phase === "Succeeded") put("Initialized", true, "PodCompleted");
  else if (pendingInit.length === 0) put("Initialized", true);
  else
    put(
      "Initialized",
      false,
      "ContainersNotInitialized",
      `containers with incomplete status: [${pendingInit.join(" ")}]`,
    );
  const notReady = `containers with unready status: [${unready.join(" ")}]`;
  const containersReady = ended === undefined && unready.length === 0;
  const missingGate = (pod.spec?.readinessGates ?? []).find((g) => conditionStatus(pod, g.conditionType) !== "True");
  if (ended) put("Ready", false, ended);
  else if (!containersReady) put("Ready", false, "ContainersNotReady", notReady);
  else if (missingGate) {
    const known = pod.status?.conditions?.some((c) => c.type === missingGate.conditionType);
    const text = known
      ? `the status of pod readiness gate ${JSON.stringify(missingGate.conditionType)} is not "True", but ${conditionStatus(pod, missingGate.conditionType)}`
      : `corresponding condition of pod readiness gate ${JSON.stringify(missingGate.conditionType)} does not exist.`;
    put("Ready", false, "ReadinessGatesNotReady", text);
  } else put("Ready", true);
  if (ended) put("ContainersReady", false, ended);
  else if (!containersReady) put("ContainersReady", false, "ContainersNotReady", notReady);
  else put("ContainersReady", true);
  put("PodScheduled", true);

  const { nominatedNodeName: _gone, ...kept } = pod.status ?? {};
  const ips = facts.podIp === undefined ? {} : { podIP: facts.podIp, podIPs: [{ ip: facts.podIp }] };
  const byName = (a: ContainerLife, b: ContainerLife) => (a.spec.name < b.spec.name ? -1 : 1);
  return {
    ...kept,
    ...observed(pod),
    phase,
    ...(facts.failure ?? {}),
    conditions,
    hostIP: facts.hostIp,
    hostIPs: [{ ip: facts.hostIp }],
    ...ips,
    startTime: facts.startTime,
    ...(facts.init.length > 0 ? { initContainerStatuses: facts.init.map((c) => c.status()) } : {}),
    containerStatuses: [...facts.app].sort(byName).map((c) => c.status()),
    ...(facts.ephemeral.length > 0 ? { ephemeralContainerStatuses: facts.ephemeral.map((c) => c.status()) } : {}),
  } as PodStatus;
}
