import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  difference,
  type FieldSet,
  has,
  insert,
  intersection,
  paths,
  recursiveDifference,
  showPath,
  union,
} from "../../../src/embedded/patch/field-set.ts";

type Paths = string[][];

/** A few names, so that sets meet. */
const anyPaths: fc.Arbitrary<Paths> = fc.array(
  fc.array(fc.constantFrom("f:a", "f:b", 'k:{"name":"x"}', "v:1"), { minLength: 1, maxLength: 4 }),
  { maxLength: 8 },
);
const setOf = (all: Paths): FieldSet => {
  const set: FieldSet = {};
  for (const path of all) insert(set, path);
  return set;
};
const members = (set: FieldSet) => [...paths(set)].map((path) => path.join("/")).sort();
const names = (all: Paths) => [...new Set(all.map((path) => path.join("/")))].sort();

describe("sets of fields", () => {
  test("hold what was inserted, in any order", () => {
    fc.assert(
      fc.property(anyPaths, (all) => {
        expect(members(setOf(all))).toEqual(names(all));
        expect(members(setOf([...all].reverse()))).toEqual(names(all));
        for (const path of all) expect(has(setOf(all), path)).toBe(true);
      }),
    );
  });

  test("unite, subtract and meet as sets of paths do, and leave what they were given alone", () => {
    fc.assert(
      fc.property(anyPaths, anyPaths, (left, right) => {
        const [a, b] = [setOf(left), setOf(right)];
        const [l, r] = [names(left), names(right)];
        const before = JSON.stringify([a, b]);
        expect(members(union(a, b))).toEqual([...new Set([...l, ...r])].sort());
        expect(members(difference(a, b))).toEqual(l.filter((path) => !r.includes(path)));
        expect(members(intersection(a, b))).toEqual(l.filter((path) => r.includes(path)));
        expect(members(recursiveDifference(a, b))).toEqual(
          l.filter((path) => !r.some((gone) => path === gone || path.startsWith(`${gone}/`))),
        );
        expect(JSON.stringify([a, b])).toBe(before);
      }),
      { numRuns: 500 },
    );
  });

  test("name a field as conflicts do", () => {
    expect(showPath(["f:spec", "f:ports", 'k:{"containerPort":80,"protocol":"TCP"}', "f:name"])).toBe(
      '.spec.ports[containerPort=80,protocol="TCP"].name',
    );
  });
});
