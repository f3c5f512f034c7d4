import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ApiError } from "../../../src/embedded/api/api-error.ts";
import { FakeClock } from "../../../src/embedded/api/clock.ts";
import type { KubeObject } from "../../../src/embedded/api/object.ts";
import type { RequestContext, Target, WatchEvent } from "../../../src/embedded/registry/api.ts";
import { createSystemObjects } from "../../../src/embedded/registry/bootstrap/system-objects.ts";
import { createApi } from "../../../src/embedded/registry/create-api.ts";
import { MemoryStore } from "../../../src/embedded/store/memory-store.ts";

/** What a client might do next to one of a few objects. */
type Step = { resource: "configmaps" | "deployments"; namespace: string; name: string; dryRun: boolean } & (
  | { do: "create" | "update" | "apply"; label: string | undefined; value: number; manager: string }
  | { do: "patch"; patch: "label" | "value" | "finalizer" | "nothing"; label: string | undefined; value: number }
  | { do: "delete"; propagationPolicy: "Background" | "Foreground" | "Orphan" | undefined }
  | { do: "status"; value: number }
);

const place = {
  resource: fc.constantFrom("configmaps" as const, "deployments" as const),
  // One is a prefix of the other, and sorts after it: "-" is below "/".
  namespace: fc.constantFrom("lab", "lab-2"),
  name: fc.constantFrom("a", "a-b"),
  dryRun: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
};
const label = fc.constantFrom("x", "y", undefined);
const value = fc.integer({ min: 0, max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    ...place,
    do: fc.constantFrom("create" as const, "update" as const, "apply" as const),
    label,
    value,
    manager: fc.constantFrom("kubectl", "other"),
  }),
  fc.record({
    ...place,
    do: fc.constant("patch" as const),
    patch: fc.constantFrom("label" as const, "value" as const, "finalizer" as const, "nothing" as const),
    label,
    value,
  }),
  fc.record({
    ...place,
    do: fc.constant("delete" as const),
    propagationPolicy: fc.constantFrom("Background" as const, "Foreground" as const, "Orphan" as const, undefined),
  }),
  fc.record({ ...place, do: fc.constant("status" as const), value }),
);
const selector = fc.constantFrom("", "l=x", "l!=x", "!l", "l in (x,y)");
const watched = fc.record({
  resource: place.resource,
  namespace: fc.constantFrom("", "lab", "lab-2"),
  labelSelector: selector,
});

const as = (more: Partial<RequestContext> = {}): RequestContext => ({
  user: { username: "kubernetes-admin", groups: ["system:masters"] },
  fieldManager: "kubectl",
  warnings: [],
  ...more,
});
const groupOf = { configmaps: "", deployments: "apps" };
const keyOf = ({ metadata }: KubeObject) => `${metadata.namespace}/${metadata.name}`;
const versions = (objects: readonly KubeObject[]) =>
  objects.map((object) => `${keyOf(object)}@${object.metadata.resourceVersion}`);

function newCluster() {
  const store = new MemoryStore();
  const api = createApi({ store, clock: new FakeClock() });
  createSystemObjects(api);
  for (const name of ["lab", "lab-2"]) api.create({ group: "", resource: "namespaces" }, { metadata: { name } }, as());
  const targetOf = ({
    resource,
    namespace,
    name,
  }: {
    resource: keyof typeof groupOf;
    namespace: string;
    name?: string;
  }) => ({ group: groupOf[resource], resource, namespace, name }) as Target;

  function perform(next: Step): void {
    const target = targetOf(next);
    const context = as({ dryRun: next.dryRun, force: true });
    switch (next.do) {
      case "create":
        api.create({ ...target, name: undefined }, body(next), { ...context, fieldManager: next.manager });
        return;
      case "update":
        api.update(target, body(next), { ...context, fieldManager: next.manager });
        return;
      case "apply":
        api.patch(target, "application/apply-patch+yaml", body(next), { ...context, fieldManager: next.manager });
        return;
      case "patch":
        api.patch(target, "application/merge-patch+json", patch(next), context);
        return;
      case "status":
        api.patch(
          { ...target, resource: "deployments", group: "apps", subresource: "status" },
          "application/merge-patch+json",
          { status: { replicas: next.value } },
          context,
        );
        return;
      case "delete":
        api.delete(target, { propagationPolicy: next.propagationPolicy }, context);
    }
  }

  /** True when the request was not refused. */
  const attempt = (next: Step): boolean => {
    try {
      perform(next);
      return true;
    } catch (error) {
      // Anything else is a defect.
      if (!(error instanceof ApiError) || error.code >= 500) throw error;
      return false;
    }
  };
  const all = () =>
    (["configmaps", "deployments"] as const).flatMap((resource) => [
      ...store.list({ group: groupOf[resource], resource }),
    ]);
  return { store, api, targetOf, attempt, all };
}

function body(next: Extract<Step, { do: "create" | "update" | "apply" }>): unknown {
  const { resource, name } = next;
  const labels = next.label === undefined ? undefined : { l: next.label };
  const metadata = { name, ...(labels === undefined ? {} : { labels }) };
  if (resource === "configmaps") {
    return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { [`k${next.value}`]: "v" } };
  }
  const template = { metadata: { labels: { a: name } }, spec: { containers: [{ name: "c", image: "nginx" }] } };
  const spec = { replicas: next.value, selector: { matchLabels: { a: name } }, template };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata, spec };
}

function patch(next: Extract<Step, { do: "patch" }>): unknown {
  switch (next.patch) {
    case "label":
      return { metadata: { labels: { l: next.label ?? null } } };
    case "finalizer":
      return { metadata: { finalizers: next.label === undefined ? null : [`lab.example/${next.label}`] } };
    case "value":
      return next.resource === "configmaps" ? { data: { k: String(next.value) } } : { spec: { replicas: next.value } };
    case "nothing":
      return {};
  }
}

function withoutVersion(object: KubeObject | undefined): unknown {
  return object === undefined ? undefined : { ...object, metadata: { ...object.metadata, resourceVersion: undefined } };
}

/** Paths in a FieldsV1 that lead to nothing in the object. */
function danglingFields(fields: Record<string, unknown>, at: unknown, path = ""): string[] {
  return Object.entries(fields).flatMap(([key, below]) => {
    if (key === ".") return [];
    const [kind, rest] = [key.slice(0, 2), key.slice(2)];
    const here = `${path}/${key}`;
    let next: unknown;
    if (kind === "f:") next = (at as Record<string, unknown> | undefined)?.[rest];
    else if (kind === "v:") next = (at as unknown[] | undefined)?.find((item) => JSON.stringify(item) === rest);
    else {
      const wanted = Object.entries(JSON.parse(rest) as Record<string, unknown>);
      next = (at as Record<string, unknown>[] | undefined)?.find((item) => wanted.every(([k, v]) => item[k] === v));
    }
    if (next === undefined) return [here];
    return danglingFields(below as Record<string, unknown>, next, here);
  });
}

describe("whatever clients do", () => {
  test("a version grows with every change, and a request that changes nothing or is refused takes none", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
        const { store, attempt, all } = newCluster();
        for (const next of steps) {
          const revision = store.revision;
          const before = new Map(all().map((object) => [object.metadata.uid, object]));
          const accepted = attempt(next);
          const after = all();
          if (!accepted || next.dryRun) expect(store.revision).toBe(revision);
          const changed = after.filter((object) => Number(object.metadata.resourceVersion) > revision);
          for (const object of changed)
            expect(withoutVersion(object)).not.toEqual(withoutVersion(before.get(object.metadata.uid)));
          const isGone = after.length < before.size;
          expect(store.revision - revision).toBe(changed.length + (isGone ? 1 : 0));
          expect(changed.length + (isGone ? 1 : 0)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  test("an object keeps its uid, its day and its age in generations", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
        const { attempt, all } = newCluster();
        for (const next of steps) {
          const before = new Map(all().map((object) => [object.metadata.uid, object]));
          attempt(next);
          for (const object of all()) {
            const old = before.get(object.metadata.uid);
            if (old === undefined || old === object) continue;
            expect(keyOf(object)).toBe(keyOf(old));
            expect(object.metadata.creationTimestamp).toBe(old.metadata.creationTimestamp);
            if (object.kind !== "Deployment") continue;
            const hasNewSpec = JSON.stringify(object["spec"]) !== JSON.stringify(old["spec"]);
            const isNowDeleted = object.metadata.deletionTimestamp !== old.metadata.deletionTimestamp;
            const grown = object.metadata.generation! - old.metadata.generation!;
            expect(grown).toBe((hasNewSpec ? 1 : 0) + (isNowDeleted ? 1 : 0));
          }
        }
      }),
    );
  });

  test("managers own what is there, and nobody is written down twice", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
        const { attempt, all } = newCluster();
        for (const next of steps) {
          attempt(next);
          for (const object of all()) {
            const entries = (object.metadata.managedFields ?? []) as unknown as Record<string, unknown>[];
            const who = entries.map((e) => [e["manager"], e["operation"], e["subresource"], e["apiVersion"]].join("|"));
            expect(new Set(who).size).toBe(who.length);
            const dangling = entries.flatMap((e) => danglingFields(e["fieldsV1"] as Record<string, unknown>, object));
            expect(dangling).toEqual([]);
          }
        }
      }),
    );
  });

  test("a watch that goes on from a list comes to what a list shows", () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 10, maxLength: 60 }),
        fc.array(fc.record({ what: watched, listAt: fc.nat(60), watchAfter: fc.nat(20) }), { maxLength: 8 }),
        (steps, watches) => {
          const { api, targetOf, attempt } = newCluster();
          const open = watches.map(({ what, listAt, watchAfter }) => {
            const { labelSelector } = what;
            const target = targetOf(what);
            const known = new Map<string, string>();
            const list = () => api.list(target, { labelSelector }, as());
            const onEvent = (event: WatchEvent) => {
              if (event.type === "BOOKMARK") return;
              const key = keyOf(event.object);
              expect(event.type === "ADDED").toBe(!known.has(key));
              expect(event.object.metadata.resourceVersion).toBe(String(event.revision));
              if (event.type === "DELETED") known.delete(key);
              else known.set(key, event.object.metadata.resourceVersion!);
            };
            let resourceVersion: string | undefined;
            return (round: number) => {
              if (resourceVersion === undefined && round >= listAt % steps.length) {
                const { items, metadata } = list();
                for (const item of items) known.set(keyOf(item), item.metadata.resourceVersion!);
                resourceVersion = metadata.resourceVersion;
              }
              if (round === (listAt % steps.length) + watchAfter || round === steps.length) {
                if (round === steps.length && round > (listAt % steps.length) + watchAfter) {
                  expect([...known].map(([key, version]) => `${key}@${version}`).sort()).toEqual(
                    versions(list().items).sort(),
                  );
                } else api.watch(target, { labelSelector, resourceVersion }, onEvent, as());
              }
            };
          });
          for (const [round, next] of steps.entries()) {
            for (const watch of open) watch(round);
            attempt(next);
          }
          for (const watch of open) watch(steps.length);
        },
      ),
    );
  });

  test("an exact version is listed as it was, whole or in pages", () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 5, maxLength: 40 }),
        fc.array(fc.record({ what: watched, at: fc.nat(40), limit: fc.integer({ min: 1, max: 3 }) }), { maxLength: 6 }),
        (steps, questions) => {
          const { store, api, targetOf, attempt } = newCluster();
          const seen = questions.map(() => ({ revision: 0, items: [] as string[] }));
          for (const [round, next] of steps.entries()) {
            for (const [i, { what, at }] of questions.entries()) {
              if (round !== at % steps.length) continue;
              const { items } = api.list(targetOf(what), { labelSelector: what.labelSelector }, as());
              seen[i] = { revision: store.revision, items: versions(items) };
            }
            attempt(next);
          }
          for (const [i, { what, limit }] of questions.entries()) {
            const { revision, items } = seen[i]!;
            const target = targetOf(what);
            const exact = { resourceVersion: String(revision), resourceVersionMatch: "Exact" as const };
            const { labelSelector } = what;
            const whole = api.list(target, { labelSelector, ...exact }, as());
            expect(versions(whole.items)).toEqual(items);
            expect(whole.metadata.resourceVersion).toBe(String(revision));
            let page = api.list(target, { labelSelector, limit, ...exact }, as());
            const paged = [...page.items];
            while (page.metadata.continue !== undefined) {
              expect(page.items).toHaveLength(limit);
              page = api.list(target, { labelSelector, limit, continue: page.metadata.continue }, as());
              expect(page.metadata.resourceVersion).toBe(String(revision));
              paged.push(...page.items);
            }
            expect(versions(paged)).toEqual(items);
          }
        },
      ),
    );
  });
});

describe("a version nobody remembers", () => {
  test("is too old to be listed or watched", () => {
    const store = new MemoryStore({ revision: 500, objects: [] });
    const api = createApi({ store, clock: new FakeClock() });
    createSystemObjects(api);
    const target: Target = { group: "", resource: "configmaps", namespace: "default" };
    const exact = { resourceVersion: "400", resourceVersionMatch: "Exact" as const };
    expect(() => api.list(target, exact, as())).toThrow("The resourceVersion for the provided list is too old.");
    expect(() => api.watch(target, { resourceVersion: "400" }, () => {}, as())).toThrow(
      "too old resource version: 400 (501)",
    );
  });
});
