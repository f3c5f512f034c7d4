import { describe, expect, it } from "vitest";
import { ageSince, humanDuration } from "../../../src/embedded/api/duration.ts";
import { getScaledValueFromIntOrPercent } from "../../../src/embedded/api/int-or-string.ts";
import {
  configMapKeyErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  envVarNameErrors,
  labelValueErrors,
  percentErrors,
  portNameErrors,
  qualifiedNameErrors,
} from "../../../src/embedded/api/names.ts";

describe("Names are refused in the recorded words", () => {
  it.each([
    [
      dns1123SubdomainErrors,
      "Node_Agent",
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    [
      dns1123LabelErrors,
      "Agent One",
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ],
    [
      labelValueErrors,
      "not a label!",
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
    [
      percentErrors,
      "half",
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    ],
    [
      qualifiedNameErrors,
      "bad key",
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
    [dns1123LabelErrors, "a.b", "must not contain dots"],
    [portNameErrors, "123", "must contain at least one letter (a-z)"],
    [configMapKeyErrors, "..", "must not be '..'"],
  ])("%o refuses %j", (check, value, message) => {
    expect(check(value)).toEqual([message]);
  });

  it.each([
    [qualifiedNameErrors, "node-role.kubernetes.io/control-plane"],
    [labelValueErrors, ""],
    [dns1123SubdomainErrors, "a.b-c"],
    [envVarNameErrors, "MY ENV"],
  ])("%o takes %j", (check, value) => {
    expect(check(value)).toEqual([]);
  });
});

describe("A duration", () => {
  it.each([
    [0, "0s"],
    [-1500, "0s"],
    [-5000, "<invalid>"],
    [119_000, "119s"],
    [120_000, "2m"],
    [150_000, "2m30s"],
    [600_000, "10m"],
    [3 * 3600_000, "3h"],
    [3 * 3600_000 + 60_000, "3h1m"],
    [47 * 3600_000, "47h"],
    [50 * 3600_000, "2d2h"],
    [400 * 86_400_000, "400d"],
    [800 * 86_400_000, "2y70d"],
    [9 * 365 * 86_400_000, "9y"],
  ])("of %d ms reads %s", (ms, text) => {
    expect(humanDuration(ms)).toBe(text);
  });

  it("of an object that was never created is unknown", () => {
    expect(ageSince(undefined, 0)).toBe("<unknown>");
  });
});

describe("A number or a percentage", () => {
  it("is scaled, rounding up or down", () => {
    expect(getScaledValueFromIntOrPercent("25%", 3, true)).toBe(1);
    expect(getScaledValueFromIntOrPercent("25%", 3, false)).toBe(0);
    expect(getScaledValueFromIntOrPercent(2, 3, false)).toBe(2);
  });

  it("is refused when it is neither", () => {
    expect(() => getScaledValueFromIntOrPercent("half", 3, true)).toThrow(
      "invalid value for IntOrString: invalid type: string is not a percentage",
    );
  });
});
