import { type Cancel, rfc3339 } from "../api/clock.ts";
import { equal } from "../api/object.ts";
import { type Container, isPodTerminal, type Pod } from "../api/pod.ts";
import { parseQuantity, quantityValue } from "../api/quantity.ts";
import { unless } from "../controllers/framework/expected-errors.ts";
import { pods, services } from "../controllers/framework/resources.ts";
import { Execution } from "./command/execution.ts";
import { type ContainerHost, ContainerLife } from "./container/container-life.ts";
import { containerEnvironment } from "./container/environment.ts";
import type { KubeletNode } from "./kubelet-node.ts";
import { writePodStatus } from "./pod-status.ts";
import { initialized, type PodFacts, podPhase, podStatus } from "./status.ts";
import { mountProblem } from "./volumes.ts";

/** One Pod on one node: what its kubelet does for it from its arrival until it is gone. */
export class PodWorker {
  private pod: Pod;
  private readonly init: ContainerLife[];
  private readonly app: ContainerLife[];
  private readonly ephemeral: ContainerLife[] = [];
  private readonly startTime: string;
  private readonly hostIp: string;
  private podIp: string | undefined;
  private sandboxAt: number | undefined;
  private mountRetry = { wait: 500, at: 0 };
  private failure: PodFacts["failure"];
  private stopAt: number | undefined;
  private killed = false;
  private timer: { at: number; cancel: Cancel } | undefined;

  constructor(
    pod: Pod,
    private readonly node: KubeletNode,
  ) {
    this.pod = pod;
    const waiting = pod.spec?.initContainers?.length ? "PodInitializing" : "ContainerCreating";
    const host = this.host();
    this.init = (pod.spec?.initContainers ?? []).map((c) => new ContainerLife(c, "init", host, waiting));
    this.app = pod.spec!.containers.map((c) => new ContainerLife(c, "app", host, waiting));
    this.startTime = pod.status?.startTime ?? rfc3339(this.now());
    this.hostIp = node.address;
    if (pod.status?.podIP) this.resume();
    this.failure = node.admit(pod);
  }

  /** Takes a newer state of the Pod; acts only on what a kubelet takes from it. */
  update(pod: Pod): void {
    const changed =
      !equal(pod.spec, this.pod.spec) || pod.metadata.deletionTimestamp !== this.pod.metadata.deletionTimestamp;
    this.pod = pod;
    if (!changed && !this.readinessGated) return;
    for (const life of [...this.init, ...this.app]) {
      const spec = [...(pod.spec?.initContainers ?? []), ...pod.spec!.containers].find(
        (c) => c.name === life.spec.name,
      );
      if (spec && !equal(spec, life.spec)) life.redeclare(spec);
    }
    for (const spec of pod.spec?.ephemeralContainers ?? []) {
      if (this.ephemeral.some((c) => c.spec.name === spec.name)) continue;
      this.ephemeral.push(
        new ContainerLife(spec as unknown as Container, "ephemeral", this.host(), "ContainerCreating"),
      );
    }
    this.wakeAt(this.now());
  }

  /** Something outside changed that may matter: a ConfigMap or Secret it waits for. */
  nudge(): void {
    if (this.waits) {
      this.mountRetry.at = 0;
      this.wakeAt(this.now());
    }
  }

  stop(): void {
    this.timer?.cancel();
    this.timer = undefined;
  }

  /** The output of a container so far; undefined when there is no such container. */
  log(container: string, previous: boolean): { at: number; text: string }[] | undefined {
    const life = [...this.app, ...this.init, ...this.ephemeral].find((c) => c.spec.name === container);
    if (life === undefined) return undefined;
    const execution = previous ? life.previousExecution : life.execution;
    if (!previous && life.running) execution?.advance(this.now() - life.startedAt);
    return (execution?.lines ?? []).map((line) => ({ at: life.startedAt + line.at, text: line.text }));
  }

  /** Does what is due and reports it. */
  sync(): void {
    this.timer?.cancel();
    this.timer = undefined;
    let next = Number.POSITIVE_INFINITY;
    if (this.pod.metadata.deletionTimestamp) next = this.terminate();
    else if (isPodTerminal(this.pod)) return;
    else if (this.failure === undefined) next = this.run();
    else this.killAll();
    this.report();
    if (this.pod.metadata.deletionTimestamp && this.stopAt !== undefined && this.now() >= this.stopAt) this.remove();
    else this.wakeAt(next);
  }

  private get readinessGated(): boolean {
    return (this.pod.spec?.readinessGates?.length ?? 0) > 0;
  }

  private get waits(): boolean {
    return (
      this.mountRetry.at > 0 ||
      [...this.app, ...this.init].some((c) => c.state.waiting?.reason === "CreateContainerConfigError")
    );
  }

  private run(): number {
    const now = this.now();
    const deadline = this.deadline();
    if (now >= deadline) {
      this.failure = {
        reason: "DeadlineExceeded",
        message: "Pod was active on the node longer than the specified deadline",
      };
      this.node.event(this.pod, "Normal", "DeadlineExceeded", this.failure.message);
      this.killAll();
      return Number.POSITIVE_INFINITY;
    }
    const mounted = this.mount(now);
    if (mounted > now) return Math.min(mounted, deadline);
    this.sandboxAt ??= now + this.node.timing.sandbox;
    if (now < this.sandboxAt) return Math.min(this.sandboxAt, deadline);
    this.podIp ??= this.pod.spec?.hostNetwork ? this.hostIp : this.node.nextPodIp();
    let next = deadline;
    for (const container of this.init) {
      if (!container.over) next = Math.min(next, container.advance());
      if (container.over && container.exitCode !== 0) break;
      const passed = container.sidecar ? container.started : container.exitCode === 0;
      if (!passed) break;
    }
    if (initialized(this.init) || this.app.some((c) => c.state.running || c.last.terminated)) {
      for (const container of this.app) next = Math.min(next, container.advance());
    }
    for (const container of this.ephemeral) next = Math.min(next, container.advance());
    // Sidecars end when the last of the containers they serve has.
    const phase = podPhase(this.facts());
    if (phase === "Succeeded" || phase === "Failed") this.killAll();
    return next;
  }

  /** Until when to wait for volumes; `now` or earlier when all are mounted. */
  private mount(now: number): number {
    if (this.sandboxAt !== undefined) return now;
    if (now < this.mountRetry.at) return this.mountRetry.at;
    const problem = mountProblem(this.node.store, this.pod);
    if (problem === undefined) {
      this.mountRetry.at = 0;
      return now;
    }
    this.node.event(this.pod, "Warning", "FailedMount", problem.message);
    this.mountRetry = { wait: Math.min(122_000, this.mountRetry.wait * 2), at: now + this.mountRetry.wait };
    return this.mountRetry.at;
  }

  private terminate(): number {
    const now = this.now();
    if (this.stopAt === undefined) {
      const grace = (this.pod.metadata.deletionGracePeriodSeconds ?? 30) * 1000;
      let wait = 0;
      for (const container of [...this.app, ...this.init]) {
        if (!container.running) continue;
        this.node.event(this.pod, "Normal", "Killing", `Stopping container ${container.spec.name}`, container.spec);
        wait = Math.max(wait, preStopTime(container.spec));
      }
      this.stopAt = now + Math.min(wait, grace);
    }
    if (now < this.stopAt) return this.stopAt;
    this.killAll();
    return now;
  }

  private killAll(): void {
    for (const container of [...this.app, ...this.init, ...this.ephemeral]) container.kill(container.codeOnTerm);
    this.killed = true;
  }

  private report(): void {
    // A status that ended the Pod is never taken back.
    if (isPodTerminal(this.pod) && !this.pod.metadata.deletionTimestamp) return;
    const status = podStatus(this.pod, this.facts(), this.now());
    const terminal = isPodTerminal(this.pod) ? { phase: this.pod.status!.phase } : {};
    const written = writePodStatus(this.node.api, this.node.as, this.pod, { ...status, ...terminal });
    if (written) this.pod = written;
  }

  private remove(): void {
    const { namespace, name, uid } = this.pod.metadata;
    const target = { ...pods, namespace: namespace!, name: name! };
    unless(["NotFound", "Conflict"], () =>
      this.node.api.delete(target, { gracePeriodSeconds: 0, preconditions: { uid: uid! } }, this.node.as),
    );
  }

  private facts(): PodFacts {
    return {
      init: this.init,
      app: this.app,
      ephemeral: this.ephemeral,
      startTime: this.startTime,
      hostIp: this.hostIp,
      podIp: this.podIp,
      sandboxReady: this.podIp !== undefined && !this.killed,
      ...(this.failure === undefined ? {} : { failure: this.failure }),
      stopping: this.killed,
    };
  }

  private deadline(): number {
    const seconds = this.pod.spec?.activeDeadlineSeconds;
    return seconds === undefined ? Number.POSITIVE_INFINITY : Date.parse(this.startTime) + seconds * 1000;
  }

  private resume(): void {
    const { status } = this.pod;
    this.podIp = status?.podIP;
    this.sandboxAt = 0;
    const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
    for (const life of [...this.init, ...this.app]) {
      const known = statuses.find((s) => s.name === life.spec.name);
      if (known) life.resume(known);
    }
  }

  private host(): ContainerHost {
    const { pod, node } = this;
    const { name, namespace, uid } = pod.metadata;
    return {
      now: () => this.now(),
      timing: node.timing,
      podName: name!,
      podLabel: `${name}_${namespace}(${uid})`,
      podIp: () => this.podIp ?? "",
      restartPolicy: pod.spec?.restartPolicy ?? "Always",
      containers: pod.spec!.containers,
      needsPull: (image) => node.needsPull(image),
      environment: (container) =>
        containerEnvironment(node.store, pod, container, {
          nodeName: node.name,
          podIp: this.podIp ?? "",
          hostIp: this.hostIp,
        }),
      resolves: (host) => {
        const [service = "", ns = namespace!] = host.split(".");
        return node.store.get(services, ns, service) !== undefined;
      },
      memoryLimit: (container) => {
        const limit = container.resources?.limits?.["memory"];
        return limit === undefined ? undefined : quantityValue(parseQuantity(limit));
      },
      event: (container, type, reason, message) => node.event(this.pod, type, reason, message, container),
    };
  }

  private wakeAt(at: number): void {
    if (!Number.isFinite(at) || (this.timer && this.timer.at <= at)) return;
    this.timer?.cancel();
    const cancel = this.node.schedule(Math.max(0, at - this.now()), () => {
      this.timer = undefined;
      this.sync();
    });
    this.timer = { at, cancel };
  }

  private now(): number {
    return this.node.now();
  }
}

/** How long a preStop hook takes: a sleep's seconds, or what its command comes to. */
function preStopTime(container: Container): number {
  const hook = container.lifecycle?.preStop;
  if (hook?.sleep) return hook.sleep.seconds * 1000;
  if (!hook?.exec) return 0;
  const execution = new Execution(hook.exec.command ?? [], {
    env: {},
    hostname: "",
    startedAt: 0,
    resolves: () => true,
    unknownEnds: true,
  });
  execution.advance(3_600_000);
  return execution.ending?.at ?? 3_600_000;
}
