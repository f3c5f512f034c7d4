import type { Cancel } from "../api/clock.ts";
import type { Container, Node, Pod } from "../api/pod.ts";
import { type Controller, type ControllerContext, objectKey, observe } from "../controllers/framework/controller.ts";
import { type ContextFactory, kubeletIdentity } from "../controllers/framework/identity.ts";
import { configMaps, nodes, persistentVolumeClaims, pods, secrets } from "../controllers/framework/resources.ts";
import { admitPod } from "./admission.ts";
import { quickTiming, type Timing } from "./container/container-life.ts";
import type { KubeletNode } from "./kubelet-node.ts";
import { PodWorker } from "./pod-worker.ts";

const byNode = "spec.nodeName";

/**
 * The kubelets of all machines that are switched on. Each Pod bound to one has a worker; a machine that is stopped
 * leaves its Pods as they were, and takes them up again when it is started.
 */
export class Kubelets implements Controller {
  readonly name = "kubelet";
  private readonly machines = new Map<string, Kubelet>();
  private readonly stops: (() => void)[] = [];
  private readonly context: ControllerContext;
  private running = false;

  constructor(
    private readonly contextFor: ContextFactory,
    private readonly timing: Timing = quickTiming,
  ) {
    this.context = contextFor(kubeletIdentity("kubelets"));
    this.context.store.addIndex(pods, byNode, (pod) => [(pod as Pod).spec?.nodeName ?? ""]);
  }

  start(): void {
    this.running = true;
    const { store } = this.context;
    this.stops.push(
      observe(store, pods, (object, _previous, deleted) => {
        const pod = object as Pod;
        const kubelet = pod.spec?.nodeName ? this.machines.get(pod.spec.nodeName) : undefined;
        if (deleted) kubelet?.forget(pod);
        else kubelet?.observe(pod);
      }),
    );
    for (const resource of [configMaps, secrets, persistentVolumeClaims]) {
      this.stops.push(
        store.watch(resource, (event) => {
          for (const kubelet of this.machines.values()) kubelet.nudge(event.object.metadata.namespace ?? "");
        }),
      );
    }
  }

  stop(): void {
    this.running = false;
    for (const stop of this.stops) stop();
    for (const kubelet of this.machines.values()) kubelet.switchOff();
    this.machines.clear();
  }

  /**
   * A machine is on: its kubelet takes up the Pods bound to it.
   * @param index which machine it is, from 0: its Pods have addresses 10.244.INDEX.x
   */
  switchOn(name: string, address: string, index: number): void {
    if (this.machines.has(name)) return;
    const kubelet = new Kubelet(name, address, index, this.timing, this.contextFor(kubeletIdentity(name)));
    this.machines.set(name, kubelet);
    if (!this.running) return;
    for (const pod of this.context.store.byIndex(pods, byNode, name)) kubelet.observe(pod as Pod);
  }

  switchOff(name: string): void {
    this.machines.get(name)?.switchOff();
    this.machines.delete(name);
  }

  /**
   * What a container has written so far, oldest first (`at`: milliseconds since the epoch); undefined when its machine
   * is off or knows no such container.
   */
  log(pod: Pod, container: string, previous = false): { at: number; text: string }[] | undefined {
    return this.machines.get(pod.spec?.nodeName ?? "")?.log(pod, container, previous);
  }
}

class Kubelet implements KubeletNode {
  readonly store;
  readonly api;
  readonly as;
  private readonly workers = new Map<string, { uid: string; worker: PodWorker; namespace: string }>();
  private readonly images = new Set<string>();
  private readonly timers = new Set<Cancel>();
  private lastIp = 1;
  private on = true;

  constructor(
    readonly name: string,
    readonly address: string,
    private readonly index: number,
    readonly timing: Timing,
    private readonly context: ControllerContext,
  ) {
    this.store = context.store;
    this.api = context.api;
    this.as = context.as;
  }

  /** A Pod of this node is new or has changed. */
  observe(pod: Pod): void {
    const key = objectKey(pod);
    const uid = pod.metadata.uid ?? "";
    const known = this.workers.get(key);
    if (known?.uid === uid) {
      known.worker.update(pod);
      return;
    }
    known?.worker.stop();
    this.workers.delete(key);
    // The store's listeners must not write: the worker begins in a turn of its own.
    this.schedule(0, () => {
      const latest = this.store.get(pods, pod.metadata.namespace!, pod.metadata.name!) as Pod | undefined;
      if (latest === undefined || latest.metadata.uid !== uid || this.workers.has(key)) return;
      const worker = new PodWorker(latest, this);
      this.workers.set(key, { uid, worker, namespace: pod.metadata.namespace! });
      worker.sync();
    });
  }

  forget(pod: Pod): void {
    const key = objectKey(pod);
    this.workers.get(key)?.worker.stop();
    this.workers.delete(key);
  }

  nudge(namespace: string): void {
    for (const entry of this.workers.values()) if (entry.namespace === namespace) entry.worker.nudge();
  }

  switchOff(): void {
    this.on = false;
    for (const { worker } of this.workers.values()) worker.stop();
    for (const cancel of this.timers) cancel();
    this.timers.clear();
    this.workers.clear();
  }

  log(pod: Pod, container: string, previous: boolean) {
    return this.workers.get(objectKey(pod))?.worker.log(container, previous);
  }

  now(): number {
    return this.context.clock.now();
  }

  schedule(ms: number, task: () => void): Cancel {
    const run = () => {
      this.timers.delete(cancel);
      if (!this.on) return;
      try {
        task();
      } catch (error) {
        this.context.log(`kubelet ${this.name}: ${error instanceof Error ? error.stack : error}`);
      }
    };
    const cancelTimer = ms <= 0 ? this.context.clock.soon(run) : this.context.clock.after(ms, run);
    const cancel = () => {
      this.timers.delete(cancel);
      cancelTimer();
    };
    this.timers.add(cancel);
    return cancel;
  }

  nextPodIp(): string {
    const used = new Set(this.store.byIndex(pods, byNode, this.name).map((pod) => (pod as Pod).status?.podIP));
    for (let tries = 0; tries < 253; tries++) {
      this.lastIp = this.lastIp >= 254 ? 2 : this.lastIp + 1;
      const ip = `10.244.${this.index % 256}.${this.lastIp}`;
      if (!used.has(ip)) return ip;
    }
    return `10.244.${this.index % 256}.${this.lastIp}`;
  }

  needsPull(image: string): boolean {
    if (this.images.has(image)) return false;
    this.images.add(image);
    return true;
  }

  admit(pod: Pod): { reason: string; message: string } | undefined {
    const node = this.store.get(nodes, "", this.name) as Node | undefined;
    if (node === undefined) return undefined;
    const refusal = admitPod(pod, node, this.store.byIndex(pods, byNode, this.name) as readonly Pod[]);
    if (refusal) this.event(pod, "Warning", refusal.reason, refusal.message.replace("Pod was rejected: ", ""));
    return refusal;
  }

  event(about: Pod, type: "Normal" | "Warning", reason: string, message: string, container?: Container): void {
    const list = about.spec?.initContainers?.some((c) => c.name === container?.name)
      ? "initContainers"
      : about.spec?.containers.some((c) => c.name === container?.name)
        ? "containers"
        : "ephemeralContainers";
    this.context.events.record(about, type, reason, message, {
      component: "kubelet",
      host: this.name,
      ...(container === undefined ? {} : { fieldPath: `spec.${list}{${container.name}}` }),
    });
  }
}
