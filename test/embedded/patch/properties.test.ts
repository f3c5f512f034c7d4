import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { copy, type KubeObject } from "../../../src/embedded/api/object.ts";
import { jsonPatch } from "../../../src/embedded/patch/json-patch.ts";
import { applyServerSide, managedFieldsAfterUpdate } from "../../../src/embedded/patch/managed-fields.ts";
import { mergePatch } from "../../../src/embedded/patch/merge-patch.ts";
import { strategicMergePatch } from "../../../src/embedded/patch/strategic-merge.ts";
import { TypeCatalog } from "../../../src/embedded/schema/type-catalog.ts";

const catalog = new TypeCatalog();
const type = "io.k8s.api.apps.v1.Deployment";

interface Env {
  name: string;
  value: string;
}
interface Shape {
  labels: Record<string, string>;
  replicas: number;
  containers: { name: string; image: string; env: Env[]; args: string[] }[];
}

const word = fc.constantFrom("a", "b", "c", "d");
const unique = <T>(item: fc.Arbitrary<T>, key: (t: T) => string, max: number) =>
  fc.uniqueArray(item, { selector: key, maxLength: max });
const shape: fc.Arbitrary<Shape> = fc.record({
  labels: fc.dictionary(word, word, { maxKeys: 3 }),
  replicas: fc.nat(3),
  containers: unique(
    fc.record({
      name: word,
      image: word,
      env: unique(fc.record({ name: word, value: word }), (e) => e.name, 3),
      args: fc.array(word, { maxLength: 3 }),
    }),
    (c) => c.name,
    3,
  ),
});

function deployment({ labels, replicas, containers }: Shape): KubeObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", labels },
    spec: { replicas, template: { spec: { containers } } },
  };
}
const containersOf = (o: unknown) =>
  (o as { spec: { template: { spec: { containers?: Shape["containers"] } } } }).spec.template.spec.containers ?? [];
/** Lists with keys as sets: their order is not the point. */
function unordered(object: unknown): unknown {
  const all = copy(object) as KubeObject;
  const containers = containersOf(all);
  containers.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const container of containers) container.env?.sort((a, b) => (a.name < b.name ? -1 : 1));
  return all;
}
const patchOf = (s: Shape) => ({
  metadata: { labels: s.labels },
  spec: { replicas: s.replicas, template: { spec: { containers: s.containers } } },
});
const strategic = (object: unknown, patch: unknown) =>
  strategicMergePatch(catalog, type, object as Record<string, unknown>, patch);

describe("a strategic merge patch", () => {
  test("applied twice is applied once, and leaves what it was given alone", () => {
    fc.assert(
      fc.property(shape, shape, (base, change) => {
        const object = deployment(base);
        const before = JSON.stringify([object, change]);
        const once = strategic(object, patchOf(change));
        expect(strategic(once, patchOf(change))).toEqual(once);
        expect(JSON.stringify([object, change])).toBe(before);
      }),
    );
  });

  test("of an object with itself changes nothing", () => {
    fc.assert(
      fc.property(shape, (base) => {
        expect(strategic(deployment(base), patchOf(base))).toEqual(deployment(base));
      }),
    );
  });

  test("comes to the same whatever the order of its keyed elements", () => {
    fc.assert(
      fc.property(shape, shape, (base, change) => {
        const turned = { ...change, containers: [...change.containers].reverse() };
        const [a, b] = [change, turned].map((c) => unordered(strategic(deployment(base), patchOf(c))));
        expect(a).toEqual(b);
      }),
    );
  });

  test("keeps every element it does not name, and deletes exactly those it says", () => {
    fc.assert(
      fc.property(shape, fc.array(word, { maxLength: 2 }), (base, gone) => {
        const containers = gone.map((name) => ({ name, $patch: "delete" }));
        const result = strategic(deployment(base), { spec: { template: { spec: { containers } } } });
        expect(containersOf(result).map((c) => c.name)).toEqual(
          base.containers.map((c) => c.name).filter((name) => !(gone as string[]).includes(name)),
        );
      }),
    );
  });
});

describe("three-way apply, as kubectl computes it", () => {
  /** A patch that deletes what was applied last and is no longer wanted. */
  function threeWay(last: Shape, wanted: Shape) {
    const labels = Object.fromEntries(
      Object.keys(last.labels)
        .filter((k) => !(k in wanted.labels))
        .map((k) => [k, null]),
    );
    const dropped = last.containers.filter((c) => !wanted.containers.some((w) => w.name === c.name));
    const containers = wanted.containers.map((c) => {
      const before = last.containers.find((l) => l.name === c.name);
      const env = (before?.env ?? []).filter((e) => !c.env.some((w) => w.name === e.name));
      return { ...c, env: [...c.env, ...env.map(({ name }) => ({ name, $patch: "delete" }))] };
    });
    return {
      metadata: { labels: { ...labels, ...wanted.labels } },
      spec: {
        replicas: wanted.replicas,
        template: { spec: { containers: [...containers, ...dropped.map(({ name }) => ({ name, $patch: "delete" }))] } },
      },
    };
  }

  test("leads from any applied state to the wanted one, and stays there", () => {
    fc.assert(
      fc.property(shape, shape, (last, wanted) => {
        const live = strategic(deployment(last), threeWay(last, wanted));
        expect(unordered(live)).toEqual(unordered(deployment(wanted)));
        expect(unordered(strategic(live, threeWay(wanted, wanted)))).toEqual(unordered(live));
      }),
    );
  });
});

describe("server-side apply", () => {
  const writer = (manager: string) => ({ manager, apiVersion: "apps/v1", now: "2026-01-01T00:00:00Z" });
  const apply = (live: KubeObject | undefined, s: Shape, manager: string) =>
    applyServerSide(catalog, type, live, deployment(s), writer(manager), true);
  const plain = (object: KubeObject) => {
    const { managedFields: _, ...metadata } = object.metadata;
    return { ...object, metadata };
  };

  test("applied twice is applied once", () => {
    fc.assert(
      fc.property(shape, (s) => {
        const once = apply(undefined, s, "a").object;
        expect(apply(once, s, "a")).toMatchObject({ changed: false });
      }),
    );
  });

  test("by a single manager leads from any state to exactly what it applies", () => {
    fc.assert(
      fc.property(shape, shape, (first, second) => {
        const live = apply(apply(undefined, first, "a").object, second, "a").object;
        const labels = (o: KubeObject) => o.metadata.labels ?? {};
        expect(labels(live)).toEqual(second.labels);
        const names = (list: { name: string }[] | undefined) => (list ?? []).map((c) => c.name).sort();
        expect(names(containersOf(live))).toEqual(names(second.containers));
        for (const wanted of second.containers) {
          const is = containersOf(live).find((c) => c.name === wanted.name)!;
          expect(names(is.env)).toEqual(names(wanted.env));
          expect(is.image).toBe(wanted.image);
        }
      }),
    );
  });

  test("of the same by two managers is the same in either order, and nothing is lost when one lets go", () => {
    fc.assert(
      fc.property(shape, (s) => {
        const ab = apply(apply(undefined, s, "a").object, s, "b").object;
        const ba = apply(apply(undefined, s, "b").object, s, "a").object;
        expect(plain(ab)).toEqual(plain(ba));
        expect(ab.metadata.managedFields).toEqual(ba.metadata.managedFields);
        const nothing = { labels: {}, replicas: s.replicas, containers: [] };
        const left = apply(ab, nothing, "a").object;
        expect(left.metadata.labels ?? {}).toEqual(s.labels);
        expect(containersOf(left).map((c) => c.name)).toEqual(s.containers.map((c) => c.name));
      }),
    );
  });

  test("every field has an owner after an update, and a field that changes has one", () => {
    fc.assert(
      fc.property(shape, shape, (before, after) => {
        const made = deployment(before);
        made.metadata.managedFields = managedFieldsAfterUpdate(catalog, type, undefined, made, writer("creator"));
        const changed = deployment(after);
        const entries = managedFieldsAfterUpdate(catalog, type, made, changed, writer("editor"));
        const owners = entries.filter((e) => JSON.stringify(e.fieldsV1).includes('"f:replicas"'));
        expect(owners.map((e) => e.manager)).toEqual([before.replicas === after.replicas ? "creator" : "editor"]);
      }),
    );
  });
});

describe("JSON and merge patches", () => {
  const json = fc.jsonValue({ maxDepth: 3 });

  test("a merge patch applied twice is applied once", () => {
    fc.assert(
      fc.property(json, json, (object, patch) => {
        const once = mergePatch(object, patch);
        expect(mergePatch(once, patch)).toEqual(once);
      }),
    );
  });

  test("what is added can be read, tested and removed again", () => {
    fc.assert(
      fc.property(fc.dictionary(word, json), json, (object, value) => {
        const added = jsonPatch(object, [
          { op: "add", path: "/new", value },
          { op: "test", path: "/new", value },
        ]);
        expect(jsonPatch(added, [{ op: "remove", path: "/new" }])).toEqual(object);
      }),
    );
  });
});
