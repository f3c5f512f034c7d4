import { describe, expect, it } from "vitest";
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
  subtractQuantities,
} from "../../../src/embedded/api/quantity.ts";

describe("A quantity", () => {
  it.each([
    ["0", "0"],
    ["0.5", "500m"],
    ["100m", "100m"],
    ["1000m", "1"],
    ["1500m", "1500m"],
    [2, "2"],
    [0.1, "100m"],
    ["1024Mi", "1Gi"],
    ["1000Mi", "1000Mi"],
    ["200Mi", "200Mi"],
    ["1.5Gi", "1536Mi"],
    ["0.5Ki", "512"],
    ["1000", "1k"],
    ["1e3", "1e3"],
    ["1E6", "1E6"],
    ["10e3", "10e3"],
    ["1000k", "1M"],
    ["0.001m", "1u"],
    ["0.0000001m", "1n"],
    ["-5", "-5"],
    ["1Ei", "1Ei"],
    ["00.50", "500m"],
  ])("%s is printed as %s", (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  it.each([
    ["lots", "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ["", "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ["1Mii", "unable to parse quantity's suffix"],
    ["1K", "unable to parse quantity's suffix"],
  ])("%j is refused", (text, message) => {
    expect(() => parseQuantity(text)).toThrow(message);
  });

  it("adds, subtracts and compares exactly", () => {
    const sum = addQuantities(parseQuantity("250m"), parseQuantity("0.75"));
    expect(formatQuantity(sum)).toBe("1");
    expect(formatQuantity(subtractQuantities(parseQuantity("1Gi"), parseQuantity("512Mi")))).toBe("512Mi");
    expect(compareQuantities(parseQuantity("1Gi"), parseQuantity("1073741824"))).toBe(0);
    expect(compareQuantities(parseQuantity("1G"), parseQuantity("1Gi"))).toBe(-1);
  });

  it("counts whole units and thousandths, rounding up", () => {
    expect(quantityValue(parseQuantity("1500m"))).toBe(2);
    expect(quantityMilliValue(parseQuantity("1.0001"))).toBe(1001);
  });
});
