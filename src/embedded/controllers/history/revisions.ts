import type { V1ControllerRevision, V1LabelSelector } from "@kubernetes/client-node";
import { apiError } from "../../api/api-error.ts";
import { type Labels, matchesLabelSelector } from "../../api/label-selector.ts";
import { equal, type KubeObject, type Wire } from "../../api/object.ts";
import type { ControllerContext } from "../framework/controller.ts";
import { controllerReference } from "../framework/controller-reference.ts";
import { unless } from "../framework/expected-errors.ts";
import { revisionHash } from "./revision-hash.ts";

export type Revision = KubeObject & Wire<V1ControllerRevision>;

export const controllerRevisions = { group: "apps", resource: "controllerrevisions" };
const byOwner = "controller-uid";
const orphans = "orphans-by-namespace";

/** An object whose template has a history: a DaemonSet or a StatefulSet. */
export interface Versioned {
  owner: KubeObject;
  selector: Wire<V1LabelSelector>;
  template: unknown;
  /** Labels of the template, which its revisions carry. */
  labels: Labels | undefined;
  hashLabel: string;
  collisionCount: number | undefined;
  /** What a revision keeps of the object: the strategic merge patch that brings the template back. */
  data: unknown;
}

export interface History {
  current: Revision;
  old: Revision[];
}

/** Declares what the functions here look revisions up by. */
export function indexRevisions({ store }: ControllerContext): void {
  store.addIndex(controllerRevisions, byOwner, (r) =>
    (r.metadata.ownerReferences ?? []).filter((o) => o.controller).map((o) => o.uid),
  );
  store.addIndex(controllerRevisions, orphans, (r) =>
    r.metadata.ownerReferences?.some((o) => o.controller) ? [] : [r.metadata.namespace ?? ""],
  );
}

/** An owner's revisions, the oldest first. */
export function revisionsOf(context: ControllerContext, owner: KubeObject): Revision[] {
  const found = context.store.byIndex(controllerRevisions, byOwner, owner.metadata.uid!) as readonly Revision[];
  return [...found].sort((a, b) => a.revision - b.revision);
}

/**
 * The revision of the present template, made where there is none, and brought to the top where the template is an
 * earlier one again (so that `kubectl rollout undo` counts on).
 */
export function syncHistory(context: ControllerContext, subject: Versioned): History {
  adoptOrphans(context, subject);
  const all = revisionsOf(context, subject.owner);
  const same = all.filter((revision) => equal(revision["data"], subject.data));
  const old = all.filter((revision) => !same.includes(revision));
  const next = Math.max(0, ...old.map((revision) => revision.revision)) + 1;
  const current = same.at(-1);
  if (current === undefined) return { current: create(context, subject, next), old };
  for (const duplicate of same.slice(0, -1)) remove(context, duplicate);
  if (current.revision >= next) return { current, old };
  const target = targetOf(current);
  const { object } = context.api.update(target, { ...current, revision: next }, context.as);
  return { current: object as Revision, old };
}

/** Deletes the oldest revisions over the limit, but none that a live Pod was made from. */
export function trimHistory(
  context: ControllerContext,
  old: readonly Revision[],
  limit: number,
  hashLabel: string,
  live: ReadonlySet<string>,
): void {
  let surplus = old.length - limit;
  for (const revision of old) {
    if (surplus <= 0) return;
    if (live.has(revision.metadata.labels?.[hashLabel] ?? "")) continue;
    remove(context, revision);
    surplus -= 1;
  }
}

/** Revisions that an owner of the same selector left behind (deleted with --cascade=orphan) are this one's history. */
function adoptOrphans(context: ControllerContext, { owner, selector }: Versioned): void {
  const { store, api, as } = context;
  for (const revision of store.byIndex(controllerRevisions, orphans, owner.metadata.namespace ?? "")) {
    if (revision.metadata.deletionTimestamp !== undefined) continue;
    if (!matchesLabelSelector(selector, revision.metadata.labels)) continue;
    const metadata = { uid: revision.metadata.uid, ownerReferences: [controllerReference(owner)] };
    const target = targetOf(revision as Revision);
    unless(["NotFound", "Conflict", "Invalid"], () =>
      api.patch(target, "application/strategic-merge-patch+json", { metadata }, as),
    );
  }
}

function create(context: ControllerContext, subject: Versioned, revision: number): Revision {
  const { owner } = subject;
  for (let collisions = subject.collisionCount; ; collisions = (collisions ?? 0) + 1) {
    const hash = revisionHash(subject.template, collisions);
    const name = `${owner.metadata.name!.slice(0, 223)}-${hash}`;
    const existing = context.store.get(controllerRevisions, owner.metadata.namespace!, name) as Revision | undefined;
    if (existing !== undefined) {
      const isOurs = existing.metadata.ownerReferences?.some((o) => o.uid === owner.metadata.uid);
      if (isOurs && equal(existing["data"], subject.data)) return existing;
      if ((collisions ?? 0) > 20) throw apiError.alreadyExists(controllerRevisions, name);
      continue;
    }
    const body = {
      apiVersion: "apps/v1",
      kind: "ControllerRevision",
      metadata: {
        name,
        namespace: owner.metadata.namespace,
        ...(owner.metadata.annotations === undefined ? {} : { annotations: owner.metadata.annotations }),
        labels: { ...subject.labels, [subject.hashLabel]: hash },
        ownerReferences: [controllerReference(owner)],
      },
      data: subject.data,
      revision,
    };
    return context.api.create(
      { ...controllerRevisions, namespace: owner.metadata.namespace },
      body,
      context.as,
    ) as Revision;
  }
}

function remove(context: ControllerContext, revision: Revision): void {
  unless(["NotFound"], () => context.api.delete(targetOf(revision), {}, context.as));
}

function targetOf(revision: Revision) {
  return { ...controllerRevisions, namespace: revision.metadata.namespace, name: revision.metadata.name };
}
