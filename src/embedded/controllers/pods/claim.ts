import type { V1LabelSelector } from "@kubernetes/client-node";
import { matchesLabelSelector } from "../../api/label-selector.ts";
import type { KubeObject, Wire } from "../../api/object.ts";
import type { Pod } from "../../api/pod.ts";
import type { Store } from "../../store/store.ts";
import type { ControllerContext } from "../framework/controller.ts";
import { controllerReference } from "../framework/controller-reference.ts";
import { unless } from "../framework/expected-errors.ts";
import { pods } from "../framework/resources.ts";

const byController = "controller-uid";
const orphans = "orphans-by-namespace";

/** Declares what Pods are looked up by here. */
export function indexPods(store: Store): void {
  store.addIndex(pods, byController, (pod) =>
    (pod.metadata.ownerReferences ?? []).filter((o) => o.controller).map((o) => o.uid),
  );
  store.addIndex(pods, orphans, (pod) =>
    pod.metadata.ownerReferences?.some((o) => o.controller) ? [] : [pod.metadata.namespace ?? ""],
  );
}

export interface ClaimOptions {
  /** What a Pod must be beyond matching the selector (of a StatefulSet: to have its name). */
  isMember?(pod: Pod): boolean;
  /** What an adopted Pod gets (of a Job: the finalizer by which Pods are counted). */
  finalizers?: string[];
}

/**
 * The Pods that belong to `owner`: its own that match its selector, and orphans that do, which it adopts. Its own that
 * no longer match are released (https://kubernetes.io/docs/concepts/architecture/garbage-collection/, ControllerRef).
 */
export function claimPods(
  context: ControllerContext,
  owner: KubeObject,
  selector: Wire<V1LabelSelector>,
  { isMember = () => true, finalizers }: ClaimOptions = {},
): Pod[] {
  const { store } = context;
  const claimed: Pod[] = [];
  const matches = (pod: Pod) => matchesLabelSelector(selector, pod.metadata.labels) && isMember(pod);
  for (const pod of store.byIndex(pods, byController, owner.metadata.uid!) as readonly Pod[]) {
    if (matches(pod)) claimed.push(pod);
    else if (owner.metadata.deletionTimestamp === undefined) release(context, owner, pod);
  }
  if (owner.metadata.deletionTimestamp !== undefined) return claimed;
  for (const pod of store.byIndex(pods, orphans, owner.metadata.namespace ?? "") as readonly Pod[]) {
    if (pod.metadata.deletionTimestamp !== undefined || !matches(pod)) continue;
    const adopted = adopt(context, owner, pod, finalizers);
    if (adopted !== undefined) claimed.push(adopted);
  }
  return claimed;
}

/** The uid of the controller of a Pod. */
export function controllerOf(object: KubeObject): { kind: string; name: string; uid: string } | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller);
}

function adopt(
  { api, as }: ControllerContext,
  owner: KubeObject,
  pod: Pod,
  finalizers: string[] | undefined,
): Pod | undefined {
  const ownerReferences = [controllerReference(owner)];
  const patch = { metadata: { uid: pod.metadata.uid, ownerReferences, ...(finalizers ? { finalizers } : {}) } };
  return unless(["NotFound", "Conflict", "Invalid"], () =>
    api.patch(targetOf(pod), "application/strategic-merge-patch+json", patch, as),
  )?.object as Pod | undefined;
}

function release({ api, as }: ControllerContext, owner: KubeObject, pod: Pod): void {
  const patch = {
    metadata: { uid: pod.metadata.uid, ownerReferences: [{ $patch: "delete", uid: owner.metadata.uid }] },
  };
  unless(["NotFound", "Conflict", "Invalid"], () =>
    api.patch(targetOf(pod), "application/strategic-merge-patch+json", patch, as),
  );
}

function targetOf(pod: Pod) {
  return { ...pods, namespace: pod.metadata.namespace, name: pod.metadata.name };
}
