import type { V1LabelSelector, V1PodTemplateSpec } from "@kubernetes/client-node";
import { matchesLabelSelector } from "../../api/label-selector.ts";
import { copy, type KubeObject, type Wire } from "../../api/object.ts";
import { isPodReady, isPodTerminal, type Pod } from "../../api/pod.ts";
import type { Store } from "../../store/store.ts";
import type { ControllerContext } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { pods } from "../framework/resources.ts";

const byController = "metadata.controller";

/** The uid of the controller that an object belongs to; undefined for an orphan. */
export function controllerUid(object: KubeObject): string | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller)?.uid;
}

/** Lets Pods be found by the controller they belong to; orphans by their namespace. */
export function indexPods(store: Store): void {
  store.addIndex(pods, byController, (pod) => [controllerUid(pod) ?? `orphan/${pod.metadata.namespace}`]);
}

/** The reference by which `owner` controls what it makes. */
export function controllerReference(owner: KubeObject) {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name ?? "",
    uid: owner.metadata.uid ?? "",
    controller: true,
    blockOwnerDeletion: true,
  };
}

/**
 * The Pods of `owner`: its own that still match its selector, and matching orphans, which it adopts. Its own that no
 * longer match are released (https://kubernetes.io/docs/concepts/workloads/controllers/replicaset/#non-template-pod-acquisitions).
 */
export function claimPods(
  context: ControllerContext,
  owner: KubeObject,
  selector: Wire<V1LabelSelector> | undefined,
): Pod[] {
  const { store } = context;
  const matches = (pod: Pod) => matchesLabelSelector(selector, pod.metadata.labels);
  const own = (store.byIndex(pods, byController, owner.metadata.uid ?? "") as readonly Pod[]).filter((pod) => {
    if (matches(pod)) return true;
    if (!pod.metadata.deletionTimestamp) setOwners(context, pod, { $patch: "delete", uid: owner.metadata.uid });
    return false;
  });
  if (owner.metadata.deletionTimestamp) return own;
  const orphans = store.byIndex(pods, byController, `orphan/${owner.metadata.namespace}`) as readonly Pod[];
  const adopted = orphans.filter(
    (pod) =>
      matches(pod) &&
      !pod.metadata.deletionTimestamp &&
      !isPodTerminal(pod) &&
      setOwners(context, pod, controllerReference(owner)),
  );
  return [...own, ...adopted];
}

function setOwners(context: ControllerContext, pod: Pod, reference: object): boolean {
  const { namespace, name, uid } = pod.metadata;
  const patch = { metadata: { uid, ownerReferences: [reference] } };
  const target = { ...pods, namespace, name };
  const answer = unless(["NotFound", "Invalid", "Conflict"], () =>
    context.api.patch(target, "application/strategic-merge-patch+json", patch, context.as),
  );
  return answer !== undefined;
}

/** Makes a Pod of a template for its controller. Throws what the API server answers. */
export function createPod(
  context: ControllerContext,
  owner: KubeObject,
  template: Wire<V1PodTemplateSpec>,
  component: string,
): void {
  const { namespace } = owner.metadata;
  const body = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      generateName: `${owner.metadata.name}-`,
      namespace,
      labels: { ...template.metadata?.labels },
      annotations: { ...template.metadata?.annotations },
      finalizers: template.metadata?.finalizers,
      ownerReferences: [controllerReference(owner)],
    },
    spec: copy(template.spec),
  };
  try {
    const pod = context.api.create({ ...pods, namespace }, body, context.as);
    const message = `Created pod: ${pod.metadata.name}`;
    context.events.record(owner, "Normal", "SuccessfulCreate", message, { component });
  } catch (error) {
    const message = `Error creating: ${error instanceof Error ? error.message : error}`;
    context.events.record(owner, "Warning", "FailedCreate", message, { component });
    throw error;
  }
}

/** Deletes a Pod for its controller; one that is gone already is fine. */
export function deletePod(context: ControllerContext, owner: KubeObject, pod: Pod, component: string): void {
  const { namespace, name, uid } = pod.metadata;
  unless(["NotFound", "Conflict"], () =>
    context.api.delete({ ...pods, namespace, name }, { preconditions: { uid } }, context.as),
  );
  context.events.record(owner, "Normal", "SuccessfulDelete", `Deleted pod: ${name}`, { component });
}

/** Neither ended nor being deleted. */
export function isActive(pod: Pod): boolean {
  return !isPodTerminal(pod) && !pod.metadata.deletionTimestamp;
}

/** Since when a Pod is ready, in milliseconds; undefined when it is not. */
export function readySince(pod: Pod): number | undefined {
  if (!isPodReady(pod)) return undefined;
  const time = pod.status?.conditions?.find((c) => c.type === "Ready")?.lastTransitionTime;
  return time ? Date.parse(time) : 0;
}

/** Ready for as long as its controller wants. */
export function isAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  const since = readySince(pod);
  return since !== undefined && (minReadySeconds === 0 || since + minReadySeconds * 1000 <= now);
}
