import { describe, expect, it } from "vitest";
import { editDistance, nearest } from "../../src/cli/nearest.ts";

describe("nearest names", () => {
  const names = ["start", "status", "stop", "verify", "k8s-daemonset"];
  it.each([
    ["strat", "start"],
    ["verfiy", "verify"],
    ["k8s-deamonset", "k8s-daemonset"],
    ["daemonset", "k8s-daemonset"],
    ["sta", "start"],
  ])("%s may mean %s", (typed, meant) => expect(nearest(typed, names)).toContain(meant));
  it("offers nothing for a word that is like none", () => expect(nearest("xylophone", names)).toEqual([]));
  it("counts a swap as one edit", () => expect(editDistance("ab", "ba")).toBe(1));
});
