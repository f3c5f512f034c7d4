import { apiError } from "../api/api-error.ts";
import { type Cancel, rfc3339Micro } from "../api/clock.ts";
import type { NodeShape } from "../api/node-shape.ts";
import type { KubeObject } from "../api/object.ts";
import { isNodeReady, type Node } from "../api/pod.ts";
import type { Controller, ControllerContext } from "../controllers/framework/controller.ts";
import { unless } from "../controllers/framework/expected-errors.ts";
import { type ContextFactory, kubeletIdentity } from "../controllers/framework/identity.ts";
import { leases, nodes } from "../controllers/framework/resources.ts";
import type { Kubelets } from "../kubelet/kubelets.ts";
import { healthyConditions, machineAddress, machineIndex, nodeObject } from "./node-object.ts";

const leaseNamespace = "kube-node-lease";
/** A quarter of the 40 seconds a Lease lasts (nodeLeaseDurationSeconds). */
const renewInterval = 10_000;
/** A kubelet repeats an unchanged status this often (nodeStatusReportFrequency). */
const statusInterval = 5 * 60_000;

interface Machine {
  name: string;
  index: number;
  on: boolean;
  shape: NodeShape;
  beat: Cancel | undefined;
  statusAt: number;
}

/**
 * The cluster's machines. One that is on registers a Node, renews its Lease and runs its Pods; one that is stopped is
 * as if its plug were pulled; the control plane finds out by itself. Which machines there are is known by their Leases
 * after a restart of the process; all of them are on then.
 */
export class Machines implements Controller {
  readonly name = "machines";
  private readonly machines = new Map<string, Machine>();

  constructor(
    private readonly contextFor: ContextFactory,
    private readonly kubelets: Kubelets,
  ) {}

  /** Switches the machines on that the store knows. */
  start(): void {
    const { store } = this.contextFor(kubeletIdentity("machines"));
    for (const object of store.list(nodes) as readonly Node[]) {
      const name = object.metadata.name!;
      if (!store.get(leases, leaseNamespace, name) || this.machines.has(name)) continue;
      const address = object.status?.addresses?.find((a) => a.type === "InternalIP")?.address;
      const index = machineIndex(address) ?? this.freeIndex();
      const controlPlane = object.metadata.labels?.["node-role.kubernetes.io/control-plane"] !== undefined;
      this.switchOn({ name, index, on: true, shape: { name, controlPlane }, beat: undefined, statusAt: 0 });
    }
  }

  stop(): void {
    for (const machine of this.machines.values()) this.switchOff(machine);
    this.machines.clear();
  }

  names(): string[] {
    return [...this.machines.keys()];
  }

  /**
   * Adds a machine, which registers as a Node at once.
   * @throws {ApiError} 409 when there is a machine or a Node of that name
   */
  addMachine(shape: NodeShape): void {
    const { store } = this.context(shape.name);
    if (this.machines.has(shape.name) || store.get(nodes, "", shape.name)) {
      throw apiError.alreadyExists(nodes, shape.name);
    }
    this.switchOn({ name: shape.name, index: this.freeIndex(), on: true, shape, beat: undefined, statusAt: 0 });
  }

  /** @throws {ApiError} 404 when there is no such machine */
  stopMachine(name: string): void {
    this.switchOff(this.machine(name));
  }

  /** Switches a machine on again; it registers anew if its Node was deleted. @throws {ApiError} 404 */
  startMachine(name: string): void {
    const machine = this.machine(name);
    if (!machine.on) this.switchOn({ ...machine, on: true });
    else if (!this.context(name).store.get(nodes, "", name)) this.register(machine);
  }

  /** Takes a machine away for good, with its Node. @throws {ApiError} 404 */
  removeMachine(name: string): void {
    this.switchOff(this.machine(name));
    this.machines.delete(name);
    const { api, as } = this.context(name);
    unless(["NotFound"], () => api.delete({ ...nodes, name }, {}, as));
    unless(["NotFound"], () => api.delete({ ...leases, namespace: leaseNamespace, name }, {}, as));
  }

  private machine(name: string): Machine {
    const machine = this.machines.get(name);
    if (machine === undefined) throw apiError.notFound(nodes, name);
    return machine;
  }

  private switchOn(machine: Machine): void {
    this.machines.set(machine.name, machine);
    this.register(machine);
    this.renew(machine);
    this.kubelets.switchOn(machine.name, machineAddress(machine.index), machine.index);
  }

  private switchOff(machine: Machine): void {
    machine.on = false;
    machine.beat?.();
    this.kubelets.switchOff(machine.name);
  }

  private register(machine: Machine): void {
    const { store, api, as, clock } = this.context(machine.name);
    if (store.get(nodes, "", machine.name) === undefined) {
      const object = nodeObject(machine.shape, machine.index, clock.now());
      api.create({ ...nodes, name: machine.name }, object, as);
      this.tell(machine, "Starting", "Starting kubelet.");
      for (const what of ["HasSufficientMemory", "HasNoDiskPressure", "HasSufficientPID", "Ready"]) {
        this.tell(machine, `Node${what}`, `Node ${machine.name} status is now: Node${what}`);
      }
      machine.statusAt = clock.now();
      // A strategy may have dropped the status a create brought.
      const created = store.get(nodes, "", machine.name) as Node | undefined;
      if (created?.status?.conditions?.length) return;
      if (created) this.writeStatus({ ...created, status: object.status } as unknown as Node, machine);
      return;
    }
    this.postStatus(machine);
  }

  /** Renews the Lease, and once in a while the whole status; then again in ten seconds. */
  private renew(machine: Machine): void {
    if (!machine.on) return;
    const { clock, log } = this.context(machine.name);
    try {
      this.renewLease(machine);
      if (clock.now() - machine.statusAt >= statusInterval || !this.ready(machine)) this.postStatus(machine);
    } catch (error) {
      log(`node ${machine.name}: ${error}`);
    }
    machine.beat = clock.after(renewInterval, () => this.renew(machine));
  }

  private renewLease(machine: Machine): void {
    const { store, api, as, clock } = this.context(machine.name);
    const { name } = machine;
    const node = store.get(nodes, "", name);
    if (node === undefined) return;
    const renewTime = rfc3339Micro(clock.now());
    const target = { ...leases, namespace: leaseNamespace, name };
    const lease = store.get(leases, leaseNamespace, name);
    if (lease !== undefined) {
      const spec = { ...(lease["spec"] as object), renewTime };
      unless(["NotFound", "Conflict"], () => api.update(target, { ...lease, spec } as KubeObject, as));
      return;
    }
    const owner = { apiVersion: "v1", kind: "Node", name, uid: node.metadata.uid };
    const metadata = { name, namespace: leaseNamespace, ownerReferences: [owner] };
    const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime };
    const body = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec };
    unless(["AlreadyExists", "NotFound"], () => api.create(target, body, as));
  }

  private ready(machine: Machine): boolean {
    const node = this.context(machine.name).store.get(nodes, "", machine.name) as Node | undefined;
    return node === undefined || isNodeReady(node);
  }

  private postStatus(machine: Machine): void {
    const { store, clock } = this.context(machine.name);
    const node = store.get(nodes, "", machine.name) as Node | undefined;
    if (node === undefined) return;
    machine.statusAt = clock.now();
    const wasReady = isNodeReady(node);
    const conditions = healthyConditions(node.status?.conditions ?? [], clock.now());
    this.writeStatus({ ...node, status: { ...node.status, conditions } } as Node, machine);
    if (!wasReady) this.tell(machine, "NodeReady", `Node ${machine.name} status is now: NodeReady`);
  }

  private writeStatus(node: Node, machine: Machine): void {
    const { api, as } = this.context(machine.name);
    const target = { ...nodes, name: machine.name, subresource: "status" };
    unless(["NotFound", "Conflict"], () => api.update(target, node, as));
  }

  /** Kubelets give their own events the node's name for its uid. */
  private tell(machine: Machine, reason: string, message: string): void {
    const { events } = this.context(machine.name);
    const about = { apiVersion: "v1", kind: "Node", metadata: { name: machine.name, uid: machine.name } } as KubeObject;
    events.record(about, "Normal", reason, message, { component: "kubelet", host: machine.name });
  }

  private freeIndex(): number {
    const used = new Set([...this.machines.values()].map((m) => m.index));
    let index = 0;
    while (used.has(index)) index += 1;
    return index;
  }

  private readonly contexts = new Map<string, ControllerContext>();

  private context(name: string): ControllerContext {
    let context = this.contexts.get(name);
    if (context === undefined) {
      context = this.contextFor(kubeletIdentity(name));
      this.contexts.set(name, context);
    }
    return context;
  }
}
