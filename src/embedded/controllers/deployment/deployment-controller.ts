import { ApiError } from "../../api/api-error.ts";
import { matchesLabelSelector } from "../../api/label-selector.ts";
import { copy, equal } from "../../api/object.ts";
import type { GroupResource } from "../../api/resource.ts";
import { type Controller, type ControllerContext, objectKey, observe, splitKey } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { WorkQueue } from "../framework/work-queue.ts";
import { controllerReference, controllerUid } from "../replicaset/owned-pods.ts";
import {
  byAge,
  copiedAnnotations,
  currentSet,
  type Deployment,
  desiredAnnotation,
  maxAnnotation,
  type ReplicaSet,
  replicasOf,
  revisionAnnotation,
  revisionOf,
  rollingLimits,
  totalReplicas,
} from "./replica-sets.ts";
import { condition, deploymentStatus, isComplete, withCondition } from "./status.ts";
import { hashLabel, templateHash } from "./template-hash.ts";

const deployments: GroupResource = { group: "apps", resource: "deployments" };
const replicaSets: GroupResource = { group: "apps", resource: "replicasets" };
const component = "deployment-controller";

/** Moves a Deployment's Pods to its present template, ReplicaSet by ReplicaSet (https://kubernetes.io/docs/concepts/workloads/controllers/deployment/). */
export class DeploymentController implements Controller {
  readonly name = component;
  private readonly queue: WorkQueue;
  private readonly stops: (() => void)[] = [];

  constructor(private readonly context: ControllerContext) {
    this.queue = new WorkQueue(
      context.clock,
      (key) => this.sync(key),
      (key, error) => {
        if (!(error instanceof ApiError)) context.log(`${component} ${key}: ${error}`);
      },
    );
  }

  start(): void {
    const { store } = this.context;
    this.stops.push(
      observe(store, deployments, (object) => this.queue.add(objectKey(object))),
      observe(store, replicaSets, (set) => {
        const owner = set.metadata.ownerReferences?.find((r) => r.controller);
        if (owner?.kind === "Deployment") this.queue.add(`${set.metadata.namespace}/${owner.name}`);
        if (owner === undefined) this.offer(set as ReplicaSet);
      }),
    );
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.queue.stop();
  }

  /** A ReplicaSet of nobody's may be some Deployment's. */
  private offer(set: ReplicaSet): void {
    for (const deployment of this.context.store.list(deployments, set.metadata.namespace) as readonly Deployment[]) {
      if (matchesLabelSelector(deployment.spec?.selector, set.metadata.labels)) this.queue.add(objectKey(deployment));
    }
  }

  private sync(key: string): void {
    const { namespace, name } = splitKey(key);
    const found = this.context.store.get(deployments, namespace, name) as Deployment | undefined;
    if (!found?.spec) return;
    const deployment = found.metadata.deletionTimestamp ? found : this.notePause(found);
    if (!deployment.spec) return;
    const sets = this.claim(deployment);
    if (!deployment.metadata.deletionTimestamp) {
      if (deployment.spec.paused || this.isScaled(deployment, sets)) this.resize(deployment, sets);
      else this.rollOut(deployment, sets);
    }
    this.writeStatus(key);
  }

  /** Says in the condition Progressing that the Deployment was paused or resumed, unless it had failed before. */
  private notePause(deployment: Deployment): Deployment {
    const progressing = deployment.status?.conditions?.find((c) => c.type === "Progressing");
    const { paused, progressDeadlineSeconds } = deployment.spec!;
    if (progressDeadlineSeconds === undefined || progressing?.reason === "ProgressDeadlineExceeded") return deployment;
    if (Boolean(paused) === (progressing?.reason === "DeploymentPaused")) return deployment;
    const now = this.context.clock.now();
    const next = paused
      ? condition("Progressing", "Unknown", "DeploymentPaused", "Deployment is paused", now)
      : condition("Progressing", "Unknown", "DeploymentResumed", "Deployment is resumed", now);
    const conditions = withCondition(deployment.status?.conditions, next);
    this.putStatus(deployment, { ...copy(deployment.status), conditions });
    const { namespace, name } = deployment.metadata;
    return (this.context.store.get(deployments, namespace!, name!) as Deployment | undefined) ?? deployment;
  }

  /** Its own ReplicaSets, and orphans that match, which it adopts. */
  private claim(deployment: Deployment): ReplicaSet[] {
    const { store } = this.context;
    const all = store.list(replicaSets, deployment.metadata.namespace) as readonly ReplicaSet[];
    return all.flatMap((set) => {
      const owner = controllerUid(set);
      const matches = matchesLabelSelector(deployment.spec?.selector, set.metadata.labels);
      if (owner === deployment.metadata.uid) {
        if (matches || deployment.metadata.deletionTimestamp) return [set];
        this.patchSet(set, {
          metadata: { uid: set.metadata.uid, ownerReferences: [{ $patch: "delete", uid: owner }] },
        });
        return [];
      }
      if (owner !== undefined || !matches || deployment.metadata.deletionTimestamp || set.metadata.deletionTimestamp) {
        return [];
      }
      const references = { ownerReferences: [controllerReference(deployment)] };
      return this.patchSet(set, { metadata: { uid: set.metadata.uid, ...references } }) ?? [];
    });
  }

  /** A change of replicas alone is spread over the ReplicaSets there are, before any roll-out goes on. */
  private isScaled(deployment: Deployment, sets: ReplicaSet[]): boolean {
    return sets.some((set) => {
      const desired = set.metadata.annotations?.[desiredAnnotation];
      return replicasOf(set) > 0 && desired !== undefined && Number(desired) !== replicasOf(deployment);
    });
  }

  private resize(deployment: Deployment, sets: ReplicaSet[]): void {
    const active = byAge(sets.filter((set) => replicasOf(set) > 0));
    const current = currentSet(deployment, sets);
    const only = active.length <= 1 ? (active[0] ?? current) : undefined;
    if (only) {
      this.scaleSet(deployment, only, replicasOf(deployment));
      return;
    }
    if (current && this.isSaturated(deployment, current)) {
      for (const set of active) if (set !== current) this.scaleSet(deployment, set, 0);
      return;
    }
    const { surge } = rollingLimits(deployment);
    const allowed = replicasOf(deployment) > 0 ? replicasOf(deployment) + surge : 0;
    let left = allowed - totalReplicas(active);
    // Larger ReplicaSets get the larger share, of equal ones the newer grows and the older shrinks first.
    const bySize = (left > 0 ? [...active].reverse() : active).sort((a, b) => replicasOf(b) - replicasOf(a));
    const shares = bySize.map((set) => {
      const before = Number(set.metadata.annotations?.[maxAnnotation] ?? 0) || totalReplicas(active);
      const share = Math.round((replicasOf(set) * allowed) / before) - replicasOf(set);
      const part = left > 0 ? Math.min(Math.max(share, 0), left) : Math.max(Math.min(share, 0), left);
      left -= part;
      return { set, size: replicasOf(set) + part };
    });
    for (const [i, { set, size }] of shares.entries()) {
      this.scaleSet(deployment, set, Math.max(0, i === 0 ? size + left : size));
    }
  }

  /** As many Pods as there are to be, all of them available. */
  private isSaturated(deployment: Deployment, set: ReplicaSet): boolean {
    const wanted = replicasOf(deployment);
    const noted = Number(set.metadata.annotations?.[desiredAnnotation]);
    return replicasOf(set) === wanted && noted === wanted && (set.status?.availableReplicas ?? 0) === wanted;
  }

  private rollOut(deployment: Deployment, sets: ReplicaSet[]): void {
    const existing = currentSet(deployment, sets);
    const old = sets.filter((set) => set !== existing);
    if (deployment.spec?.strategy?.type === "Recreate") {
      if (this.scaleAllDown(deployment, old)) return;
      if (old.some((set) => (set.status?.replicas ?? 0) + (set.status?.terminatingReplicas ?? 0) > 0)) return;
      const current = this.ensureCurrent(deployment, existing, sets);
      if (current) this.scaleSet(deployment, current, replicasOf(deployment));
    } else {
      const current = this.ensureCurrent(deployment, existing, sets);
      if (!current) return;
      if (!this.scaleUp(deployment, current, sets)) this.scaleDown(deployment, current, old);
    }
    this.cleanUp(deployment, old);
  }

  private scaleAllDown(deployment: Deployment, old: ReplicaSet[]): boolean {
    const active = old.filter((set) => replicasOf(set) > 0);
    for (const set of active) this.scaleSet(deployment, set, 0);
    return active.length > 0;
  }

  /** The ReplicaSet of the present template, made if need be, with its revision and the Deployment's annotations. */
  private ensureCurrent(
    deployment: Deployment,
    existing: ReplicaSet | undefined,
    sets: ReplicaSet[],
  ): ReplicaSet | undefined {
    const newest = Math.max(0, ...sets.filter((set) => set !== existing).map(revisionOf));
    const revision = Math.max(newest + 1, existing ? revisionOf(existing) : 0);
    const annotations = { ...copiedAnnotations(deployment), [revisionAnnotation]: String(revision) };
    const current = existing
      ? this.annotate(existing, annotations)
      : this.createSet(deployment, sets, { ...annotations, ...this.sizes(deployment) });
    if (current) this.setRevision(deployment, revision);
    return current;
  }

  private annotate(set: ReplicaSet, annotations: Record<string, string>): ReplicaSet {
    const missing = Object.entries(annotations).some(([key, value]) => set.metadata.annotations?.[key] !== value);
    return missing ? (this.patchSet(set, { metadata: { annotations } }) ?? set) : set;
  }

  private setRevision(deployment: Deployment, revision: number): void {
    if (revisionOf(deployment) === revision) return;
    const { namespace, name } = deployment.metadata;
    const patch = { metadata: { annotations: { [revisionAnnotation]: String(revision) } } };
    unless(["NotFound"], () =>
      this.context.api.patch(
        { ...deployments, namespace, name },
        "application/merge-patch+json",
        patch,
        this.context.as,
      ),
    );
  }

  private createSet(
    deployment: Deployment,
    sets: ReplicaSet[],
    annotations: Record<string, string>,
  ): ReplicaSet | undefined {
    const { spec, metadata } = deployment;
    if (!spec) return undefined;
    const hash = templateHash(spec.template, deployment.status?.collisionCount ?? 0);
    const template = copy(spec.template);
    template.metadata = { ...template.metadata, labels: { ...template.metadata?.labels, [hashLabel]: hash } };
    const selector = { ...spec.selector, matchLabels: { ...spec.selector.matchLabels, [hashLabel]: hash } };
    const { surge } = rollingLimits(deployment);
    const room = replicasOf(deployment) + surge - totalReplicas(sets);
    const size = Math.max(0, Math.min(replicasOf(deployment), room));
    const name = `${metadata.name}-${hash}`;
    const body = {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: {
        name,
        namespace: metadata.namespace,
        labels: template.metadata.labels,
        annotations,
        ownerReferences: [controllerReference(deployment)],
      },
      spec: { replicas: size, minReadySeconds: spec.minReadySeconds, selector, template },
    };
    const created = unless(["AlreadyExists"], () =>
      this.context.api.create({ ...replicaSets, namespace: metadata.namespace }, body, this.context.as),
    ) as ReplicaSet | undefined;
    if (created === undefined) {
      this.countCollision(deployment);
      return undefined;
    }
    if (size > 0) this.event(deployment, `Scaled up replica set ${name} from 0 to ${size}`);
    this.noteProgress(deployment, "NewReplicaSetCreated", `Created new replica set ${JSON.stringify(name)}`);
    return created;
  }

  /** Another ReplicaSet has that name: the next hash is another one. */
  private countCollision(deployment: Deployment): void {
    const status = { ...copy(deployment.status), collisionCount: (deployment.status?.collisionCount ?? 0) + 1 };
    this.putStatus(deployment, status);
  }

  private noteProgress(deployment: Deployment, reason: string, message: string): void {
    const fresh = this.context.store.get(
      deployments,
      deployment.metadata.namespace ?? "",
      deployment.metadata.name ?? "",
    ) as Deployment | undefined;
    if (!fresh || deployment.spec?.progressDeadlineSeconds === undefined) return;
    const next = condition("Progressing", "True", reason, message, this.context.clock.now());
    this.putStatus(fresh, { ...copy(fresh.status), conditions: withCondition(fresh.status?.conditions, next) });
  }

  /** @returns whether the present ReplicaSet was given more Pods, or fewer. */
  private scaleUp(deployment: Deployment, current: ReplicaSet, sets: ReplicaSet[]): boolean {
    const wanted = replicasOf(deployment);
    if (replicasOf(current) === wanted) return false;
    if (replicasOf(current) > wanted) return this.scaleSet(deployment, current, wanted);
    const others = sets.filter((set) => set.metadata.uid !== current.metadata.uid);
    const { surge } = rollingLimits(deployment);
    const room = wanted + surge - totalReplicas([...others, current]);
    if (room <= 0) return false;
    return this.scaleSet(deployment, current, replicasOf(current) + Math.min(room, wanted - replicasOf(current)));
  }

  /** Old Pods go as far as enough others are available; those that are not available go first. */
  private scaleDown(deployment: Deployment, current: ReplicaSet, old: ReplicaSet[]): void {
    const active = byAge(old.filter((set) => replicasOf(set) > 0));
    if (active.length === 0) return;
    const all = [...active, current];
    const least = replicasOf(deployment) - rollingLimits(deployment).unavailable;
    const waiting = replicasOf(current) - (current.status?.availableReplicas ?? 0);
    let removable = totalReplicas(all) - least - waiting;
    if (removable <= 0) return;
    const sizes = new Map(active.map((set) => [set, replicasOf(set)]));
    for (const set of active) {
      const size = sizes.get(set) ?? 0;
      const cut = Math.min(Math.max(0, removable), Math.max(0, size - (set.status?.availableReplicas ?? 0)));
      sizes.set(set, size - cut);
      removable -= cut;
    }
    const available = all.reduce((sum, set) => sum + (set.status?.availableReplicas ?? 0), 0);
    let surplus = Math.max(0, available - least);
    for (const set of active) {
      const size = sizes.get(set) ?? 0;
      const cut = Math.min(surplus, size);
      sizes.set(set, size - cut);
      surplus -= cut;
    }
    for (const [set, size] of sizes) this.scaleSet(deployment, set, size);
  }

  private sizes(deployment: Deployment): Record<string, string> {
    const desired = replicasOf(deployment);
    return {
      [desiredAnnotation]: String(desired),
      [maxAnnotation]: String(desired + rollingLimits(deployment).surge),
    };
  }

  private scaleSet(deployment: Deployment, set: ReplicaSet, size: number): boolean {
    const annotations = this.sizes(deployment);
    const noted = Object.entries(annotations).every(([key, value]) => set.metadata.annotations?.[key] === value);
    const before = replicasOf(set);
    if (before === size && noted) return false;
    this.patchSet(set, { metadata: { annotations }, spec: { replicas: size } });
    if (before === size) return false;
    const direction = size > before ? "up" : "down";
    this.event(deployment, `Scaled ${direction} replica set ${set.metadata.name} from ${before} to ${size}`);
    return true;
  }

  /** No more old and empty ReplicaSets than revisionHistoryLimit stay, once the roll-out is complete. */
  private cleanUp(deployment: Deployment, old: ReplicaSet[]): void {
    const limit = deployment.spec?.revisionHistoryLimit;
    if (limit === undefined || !isComplete(deployment, deployment.status ?? {})) return;
    const empty = old.filter(
      (set) => replicasOf(set) === 0 && (set.status?.replicas ?? 0) === 0 && !set.metadata.deletionTimestamp,
    );
    const surplus = [...empty].sort((a, b) => revisionOf(a) - revisionOf(b)).slice(0, Math.max(0, old.length - limit));
    for (const { metadata } of surplus) {
      const target = { ...replicaSets, namespace: metadata.namespace, name: metadata.name };
      unless(["NotFound"], () => this.context.api.delete(target, {}, this.context.as));
    }
  }

  private writeStatus(key: string): void {
    const { namespace, name } = splitKey(key);
    const deployment = this.context.store.get(deployments, namespace, name) as Deployment | undefined;
    if (!deployment) return;
    const all = this.context.store.list(replicaSets, namespace) as readonly ReplicaSet[];
    const sets = all.filter((set) => controllerUid(set) === deployment.metadata.uid);
    const now = this.context.clock.now();
    const status = deploymentStatus(deployment, currentSet(deployment, sets), sets, now);
    if (!equal(status, deployment.status)) this.putStatus(deployment, status);
    const progressing = status.conditions?.find((c) => c.type === "Progressing");
    const deadline = deployment.spec?.progressDeadlineSeconds;
    if (deadline === undefined || progressing?.status !== "True" || isComplete(deployment, status)) return;
    const due = Date.parse(progressing.lastUpdateTime ?? "") + deadline * 1000 - now;
    if (due > 0) this.queue.addAfter(key, due + 1000);
  }

  private putStatus(deployment: Deployment, status: unknown): void {
    const { namespace, name } = deployment.metadata;
    const target = { ...deployments, namespace, name, subresource: "status" };
    unless(["NotFound", "Conflict"], () =>
      this.context.api.update(target, { ...copy(deployment), status }, this.context.as),
    );
  }

  private patchSet(set: ReplicaSet, patch: unknown): ReplicaSet | undefined {
    const { namespace, name } = set.metadata;
    const answer = unless(["NotFound", "Conflict", "Invalid"], () =>
      this.context.api.patch(
        { ...replicaSets, namespace, name },
        "application/strategic-merge-patch+json",
        patch,
        this.context.as,
      ),
    );
    return answer?.object as ReplicaSet | undefined;
  }

  private event(deployment: Deployment, message: string): void {
    this.context.events.record(deployment, "Normal", "ScalingReplicaSet", message, { component });
  }
}
