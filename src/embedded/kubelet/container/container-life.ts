import { createHash, randomBytes } from "node:crypto";
import type { V1ContainerState } from "@kubernetes/client-node";
import { rfc3339 } from "../../api/clock.ts";
import type { Wire } from "../../api/object.ts";
import { type Container, type ContainerStatus, isSidecar } from "../../api/pod.ts";
import { Execution, type Surroundings } from "../command/execution.ts";
import { endsWithoutCommand, findImage, fullName, parseImage, runsArguments } from "./images.ts";
import { type Probe, type ProbeResult, runProbe } from "./probe.ts";

type State = Wire<V1ContainerState>;

/** How long simulated machines take, in milliseconds. */
export interface Timing {
  /** From a Pod's arrival to its network being there. */
  sandbox: number;
  /** The first pull of an image on a node. */
  pull: number;
  /** From an image to a running container. */
  start: number;
  /** From a container's end to the kubelet's next look at it. */
  relist: number;
}

export const quickTiming: Timing = { sandbox: 4, pull: 12, start: 3, relist: 200 };

/** What a container asks of the kubelet around it. */
export interface ContainerHost {
  now(): number;
  timing: Timing;
  podName: string;
  /** `name_namespace(uid)`, as kubelets write it. */
  podLabel: string;
  podIp(): string;
  restartPolicy: string;
  /** All containers that share the Pod's network. */
  containers: readonly Container[];
  /** True when the image had to be pulled for the first time on this node. */
  needsPull(image: string): boolean;
  environment(container: Container): { env: Record<string, string> } | { error: string };
  resolves(name: string): boolean;
  memoryLimit(container: Container): number | undefined;
  event(container: Container, type: "Normal" | "Warning", reason: string, message: string): void;
}

const minBackoff = 10_000;
const maxBackoff = 300_000;
const defaultProbe = { initialDelaySeconds: 0, periodSeconds: 10, failureThreshold: 3, successThreshold: 1 };

interface ProbeState {
  nextAt: number;
  failures: number;
  successes: number;
}

/**
 * One container from its image to its end, and on from there: pulled, created, started, probed, restarted with
 * backoff (https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/). `advance` is called whenever something
 * may be due, and answers when it wants to be called again.
 */
export class ContainerLife {
  state: State;
  last: State = {};
  restartCount = 0;
  started = false;
  ready = false;
  execution: Execution | undefined;
  previousExecution: Execution | undefined;
  startedAt = 0;
  private containerId = "";
  private imageId = "";
  private readyToStartAt: number | undefined;
  private imageBackoff = { wait: 0, until: 0 };
  private imageError = "";
  private pulledFor = "";
  private crashWait = 0;
  private crashUntil = 0;
  private finishedAt = 0;
  private readonly probes = new Map<"startup" | "readiness" | "liveness", ProbeState>();

  constructor(
    private declaration: Container,
    readonly role: "init" | "app" | "ephemeral",
    private readonly host: ContainerHost,
    waitingReason: string,
  ) {
    this.state = { waiting: { reason: waitingReason } };
  }

  get spec(): Container {
    return this.declaration;
  }

  /** Takes a changed declaration; another image restarts the container. */
  redeclare(spec: Container): void {
    const changed = spec.image !== this.declaration.image;
    this.declaration = spec;
    if (!changed) return;
    this.imageBackoff = { wait: 0, until: 0 };
    this.imageError = "";
    if (!this.running) return;
    this.host.event(spec, "Normal", "Killing", `Container ${spec.name} definition changed, will be restarted`);
    this.kill(this.codeOnTerm);
  }

  get running(): boolean {
    return this.state.running !== undefined;
  }

  get sidecar(): boolean {
    return this.role === "init" && isSidecar(this.spec);
  }

  /** Ended, and not to be started again. */
  get over(): boolean {
    return this.state.terminated !== undefined && !this.restarts(this.state.terminated.exitCode);
  }

  get exitCode(): number | undefined {
    return this.state.terminated?.exitCode;
  }

  /** Does what is due; returns when it wants to be called again (milliseconds since the epoch, or Infinity). */
  advance(): number {
    if (this.over) return Number.POSITIVE_INFINITY;
    if (this.running) return this.live();
    return this.begin();
  }

  /** Ends the container from outside. */
  kill(code: number, reason?: string): void {
    if (!this.running) return;
    this.end(this.host.now(), code, reason ?? (code === 0 ? "Completed" : "Error"));
  }

  /** The exit code with which the program answers TERM: servers end well, a bare shell or sleep is killed. */
  get codeOnTerm(): number {
    const program = this.commandLine()?.[0] ?? "";
    return /(^|\/)(sh|bash|ash|sleep|tail)$/.test(program) ? 137 : 0;
  }

  status(): ContainerStatus {
    return {
      ...(this.containerId === "" ? {} : { containerID: this.containerId }),
      image: this.containerId === "" ? (this.spec.image ?? "") : fullNameOf(this.spec.image ?? ""),
      imageID: this.imageId,
      lastState: this.last,
      name: this.spec.name,
      ready: this.role === "init" && !this.sidecar ? this.exitCode === 0 : this.ready,
      ...(this.spec.resources && Object.keys(this.spec.resources).length > 0 && this.running
        ? {
            ...(this.spec.resources.requests ? { allocatedResources: this.spec.resources.requests } : {}),
            resources: this.spec.resources,
          }
        : {}),
      restartCount: this.restartCount,
      started: this.started,
      state: this.state,
      ...(this.spec.volumeMounts?.length
        ? {
            volumeMounts: this.spec.volumeMounts.map((m) => ({
              mountPath: m.mountPath,
              name: m.name,
              ...(m.readOnly ? { readOnly: true, recursiveReadOnly: "Disabled" } : {}),
            })),
          }
        : {}),
    };
  }

  /** Takes up a container as its status says it was, after the process began anew. */
  resume(status: ContainerStatus): void {
    this.restartCount = status.restartCount;
    this.last = status.lastState ?? {};
    this.state = status.state ?? this.state;
    this.containerId = status.containerID ?? "";
    this.imageId = status.imageID ?? "";
    this.started = status.started ?? false;
    this.ready = status.ready;
    if (this.imageId !== "") this.pulledFor = this.spec.image ?? "";
    this.restarting = this.containerId !== "";
    if (this.state.terminated) this.finishedAt = Date.parse(this.state.terminated.finishedAt ?? "") || this.host.now();
    if (this.state.running) {
      this.startedAt = Date.parse(this.state.running.startedAt ?? "") || this.host.now();
      const environment = this.host.environment(this.spec);
      this.run("env" in environment ? environment.env : {});
    }
  }

  private begin(): number {
    const now = this.host.now();
    if (this.state.terminated) return this.restartLater(now);
    if (now < this.crashUntil) return this.crashUntil;
    if (!this.pulled(now)) return this.readyToStartAt ?? this.imageBackoff.until;
    if (this.readyToStartAt !== undefined && now < this.readyToStartAt) return this.readyToStartAt;
    this.readyToStartAt = undefined;
    const environment = this.host.environment(this.spec);
    if ("error" in environment) {
      if (this.state.waiting?.message !== environment.error) {
        this.host.event(this.spec, "Warning", "Failed", `Error: ${environment.error}`);
      }
      this.state = { waiting: { reason: "CreateContainerConfigError", message: environment.error } };
      return now + 10_000;
    }
    this.start(now, environment.env);
    return this.live();
  }

  /** The image is there, or on its way (`readyToStartAt`), or it is not to be had (`imageBackoff`). */
  private pulled(now: number): boolean {
    const image = this.spec.image ?? "";
    if (this.pulledFor === image) return true;
    if (now < this.imageBackoff.until) {
      const looked = this.readyToStartAt === undefined || now >= this.readyToStartAt;
      if (this.imageError !== "" && looked) this.backOffImage(image);
      return false;
    }
    const finding = findImage(image);
    if (finding.kind === "invalid") {
      this.host.event(this.spec, "Warning", "InspectFailed", finding.message);
      this.host.event(this.spec, "Warning", "Failed", "Error: InvalidImageName");
      this.state = { waiting: { reason: "InvalidImageName", message: finding.message } };
      this.imageBackoff = { wait: 0, until: now + 15_000 };
      return false;
    }
    const policy = this.spec.imagePullPolicy ?? "IfNotPresent";
    const fresh = this.host.needsPull(image);
    if (policy === "Never" && finding.kind === "missing") {
      const message = `Container image ${JSON.stringify(image)} is not present with pull policy of Never`;
      this.host.event(this.spec, "Warning", "ErrImageNeverPull", message);
      this.host.event(this.spec, "Warning", "Failed", "Error: ErrImageNeverPull");
      this.state = { waiting: { reason: "ErrImageNeverPull", message } };
      this.imageBackoff = { wait: 0, until: now + 10_000 };
      return false;
    }
    if (finding.kind === "missing") {
      this.failToPull(image, finding.error, now);
      return false;
    }
    this.pulledFor = image;
    if (policy !== "Never" && (fresh || policy === "Always")) {
      const took = fresh ? this.host.timing.pull : 1;
      this.host.event(this.spec, "Normal", "Pulling", `Pulling image ${JSON.stringify(image)}`);
      const size = 2_000_000 + (createHash("sha256").update(image).digest().readUInt32BE(0) % 90_000_000);
      const message = `Successfully pulled image ${JSON.stringify(image)} in ${took}ms (${took}ms including waiting). Image size: ${size} bytes.`;
      this.host.event(this.spec, "Normal", "Pulled", message);
      this.readyToStartAt = now + took + this.host.timing.start;
    } else {
      const message = `Container image ${JSON.stringify(image)} already present on machine and can be accessed by the pod`;
      this.host.event(this.spec, "Normal", "Pulled", message);
      this.readyToStartAt = now + this.host.timing.start;
    }
    return true;
  }

  private failToPull(image: string, error: string, now: number): void {
    const code = error.endsWith(": not found") ? "NotFound" : "Unknown";
    this.imageError = `rpc error: code = ${code} desc = ${error}`;
    this.host.event(this.spec, "Normal", "Pulling", `Pulling image ${JSON.stringify(image)}`);
    this.host.event(
      this.spec,
      "Warning",
      "Failed",
      `Failed to pull image ${JSON.stringify(image)}: ${this.imageError}`,
    );
    this.host.event(this.spec, "Warning", "Failed", "Error: ErrImagePull");
    this.state = { waiting: { reason: "ErrImagePull", message: this.imageError } };
    const wait = Math.min(maxBackoff, Math.max(minBackoff, this.imageBackoff.wait * 2));
    this.imageBackoff = { wait, until: now + wait };
    // The kubelet's next look at the Pod finds it in backoff.
    this.readyToStartAt = now + this.host.timing.relist;
  }

  private backOffImage(image: string): void {
    this.readyToStartAt = undefined;
    if (this.state.waiting?.reason !== "ErrImagePull") return;
    const message = `Back-off pulling image ${JSON.stringify(image)}`;
    this.host.event(this.spec, "Normal", "BackOff", message);
    this.host.event(this.spec, "Warning", "Failed", "Error: ImagePullBackOff");
    this.state = { waiting: { reason: "ImagePullBackOff", message: `${message}: ErrImagePull: ${this.imageError}` } };
  }

  private start(now: number, env: Record<string, string>): void {
    if (this.state.waiting && this.restarting) this.restartCount += 1;
    this.restarting = true;
    this.containerId = `containerd://${randomBytes(32).toString("hex")}`;
    const name = fullNameOf(this.spec.image ?? "");
    this.imageId = `${name.replace(/(:[^:/@]+)?(@.*)?$/, "")}@sha256:${createHash("sha256").update(name).digest("hex")}`;
    this.startedAt = now;
    this.previousExecution = this.execution;
    this.run(env);
    this.execution?.advance(0);
    this.host.event(this.spec, "Normal", "Created", "Container created");
    if (this.execution?.ending?.reason === "StartError") {
      const { message = "" } = this.execution.ending;
      this.host.event(this.spec, "Warning", "Failed", `Error: ${message}`);
      this.end(now, 128, "StartError", message);
      return;
    }
    this.host.event(this.spec, "Normal", "Started", "Container started");
    this.state = { running: { startedAt: rfc3339(now) } };
    this.probes.clear();
    this.started = this.spec.startupProbe === undefined;
    this.ready = this.started && this.spec.readinessProbe === undefined;
  }

  private restarting = false;

  private run(env: Record<string, string>): void {
    const command = this.commandLine();
    this.execution = command === undefined ? undefined : new Execution(command, this.surroundings(env));
  }

  private commandLine(): string[] | undefined {
    const image = this.spec.image ?? "";
    const args = this.spec.args ?? [];
    if (this.spec.command?.length) return [...this.spec.command, ...args];
    if (args.length > 0 && runsArguments(image)) return args;
    if (args.length === 0 && endsWithoutCommand(image)) return ["sh"];
    return undefined;
  }

  private surroundings(env: Record<string, string>): Surroundings {
    const memoryLimit = this.host.memoryLimit(this.spec);
    const once = this.host.restartPolicy !== "Always" || (this.role === "init" && !this.sidecar);
    return {
      env,
      hostname: this.host.podName,
      startedAt: this.startedAt,
      resolves: (name) => this.host.resolves(name),
      unknownEnds: once,
      ...(memoryLimit === undefined ? {} : { memoryLimit }),
    };
  }

  private live(): number {
    if (!this.running) return this.state.terminated ? this.restartLater(this.host.now()) : this.host.now();
    const now = this.host.now();
    this.execution?.advance(now - this.startedAt);
    const ending = this.execution?.ending;
    if (ending) {
      const reason = ending.reason ?? (ending.code === 0 ? "Completed" : "Error");
      this.end(Math.min(now, this.startedAt + ending.at), ending.code, reason, ending.message);
      return this.over ? Number.POSITIVE_INFINITY : now + this.host.timing.relist;
    }
    const next = this.probe(now);
    const due = this.execution === undefined ? Number.POSITIVE_INFINITY : this.startedAt + this.execution.next;
    return Math.min(next, due);
  }

  private end(at: number, exitCode: number, reason: string, message?: string): void {
    this.state = {
      terminated: {
        containerID: this.containerId,
        exitCode,
        finishedAt: rfc3339(at),
        ...(message === undefined ? {} : { message }),
        reason,
        startedAt: reason === "StartError" ? "1970-01-01T00:00:00Z" : rfc3339(this.startedAt),
      },
    };
    this.finishedAt = at;
    this.started = false;
    this.ready = false;
  }

  private restarts(exitCode: number): boolean {
    const policy = this.sidecar ? "Always" : (this.spec.restartPolicy ?? this.host.restartPolicy);
    if (this.role === "ephemeral") return false;
    if (this.role === "init" && !this.sidecar) return exitCode !== 0 && policy !== "Never";
    return policy === "Always" || (policy === "OnFailure" && exitCode !== 0);
  }

  /** Between a container's end and its next start: at once the first time, then after 10 s, 20 s … up to 5 min. */
  private restartLater(now: number): number {
    if (now < this.finishedAt + this.host.timing.relist) return this.finishedAt + this.host.timing.relist;
    this.last = this.state;
    if (this.finishedAt - this.startedAt > 2 * maxBackoff) this.crashWait = 0;
    const until = this.finishedAt + this.crashWait;
    if (now < until) {
      const seconds = this.crashWait / 1000;
      const pause = seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
      const message = `back-off ${pause} restarting failed container=${this.spec.name} pod=${this.host.podLabel}`;
      const event = `Back-off restarting failed container ${this.spec.name} in pod ${this.host.podLabel}`;
      this.host.event(this.spec, "Warning", "BackOff", event);
      this.state = { waiting: { reason: "CrashLoopBackOff", message } };
      this.crashUntil = until;
    } else this.state = { waiting: { reason: "PodInitializing" } };
    this.crashWait = Math.min(maxBackoff, Math.max(minBackoff, this.crashWait * 2));
    // An image of the node's own is asked for again at each start.
    this.pulledFor = "";
    return this.begin();
  }

  /** Runs the probes that are due; returns when the next one is. */
  private probe(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    const { startupProbe, readinessProbe, livenessProbe } = this.spec;
    if (startupProbe && !this.started) {
      next = this.runDue("startup", startupProbe, now, next);
      if (!this.running || !this.started) return next;
    }
    if (!this.started) return next;
    if (readinessProbe) next = this.runDue("readiness", readinessProbe, now, next);
    else this.ready = true;
    if (livenessProbe && this.running) next = this.runDue("liveness", livenessProbe, now, next);
    return next;
  }

  private runDue(kind: "startup" | "readiness" | "liveness", probe: Probe, now: number, next: number): number {
    const settings = { ...defaultProbe, ...probe };
    let state = this.probes.get(kind);
    if (state === undefined) {
      state = { nextAt: this.startedAt + settings.initialDelaySeconds * 1000, failures: 0, successes: 0 };
      this.probes.set(kind, state);
    }
    if (now < state.nextAt) return Math.min(next, state.nextAt);
    const result = this.probed(probe);
    state.nextAt = Math.max(now, state.nextAt) + settings.periodSeconds * 1000;
    if (result.ok) {
      state.failures = 0;
      state.successes += 1;
      if (state.successes >= settings.successThreshold) {
        if (kind === "startup") this.started = true;
        if (kind === "readiness") this.ready = true;
        // Nothing that could change its mind: no need to look again.
        if (this.execution === undefined || this.execution.next === Number.POSITIVE_INFINITY)
          state.nextAt = Number.POSITIVE_INFINITY;
      }
    } else {
      state.successes = 0;
      state.failures += 1;
      const name = kind[0]!.toUpperCase() + kind.slice(1);
      this.host.event(this.spec, "Warning", "Unhealthy", `${name} probe failed: ${result.output}`);
      if (state.failures >= settings.failureThreshold) {
        if (kind === "readiness") this.ready = false;
        else this.killUnhealthy(kind);
      }
    }
    return Math.min(next, state.nextAt);
  }

  private killUnhealthy(kind: "startup" | "liveness"): void {
    const restart = this.restarts(137) ? ", will be restarted" : "";
    const message = `Container ${this.spec.name} failed ${kind} probe${restart}`;
    this.host.event(this.spec, "Normal", "Killing", message);
    this.kill(137, "Error");
  }

  private probed(probe: Probe): ProbeResult {
    const { containers } = this.host;
    return runProbe(probe, this.spec, containers, this.host.podIp(), this.execution, this.surroundings({}));
  }
}

function fullNameOf(image: string): string {
  const reference = parseImage(image);
  return reference === undefined ? image : fullName(reference);
}
