import { describe, expect, test } from "vitest";
import {
  matchesRequirements,
  parseFieldSelector,
  parseLabelSelector,
} from "../../../src/embedded/api/selector-strings.ts";

const name =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const value =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

describe("a label selector", () => {
  const matches = (text: string, labels: Record<string, string>) =>
    matchesRequirements(parseLabelSelector(text), labels);

  test.each([
    ["", {}, true],
    ["  ", {}, true],
    ["app", { app: "" }, true],
    ["!app", {}, true],
    ["!app", { app: "x" }, false],
    ["app=x", { app: "x" }, true],
    ["app==x", { app: "y" }, false],
    ["app!=x", {}, true],
    ["app=", { app: "" }, true],
    ["app=,b", { app: "", b: "1" }, true],
    ["app in (x, y)", { app: "y" }, true],
    ["app notin (x,y)", {}, true],
    ["app notin (x,y),tier", { app: "z", tier: "t" }, true],
    ["app in ()", { app: "" }, true],
    ["app in (x,)", { app: "" }, true],
    ["app in (,x)", { app: "" }, true],
    ["in in (in)", { in: "in" }, true],
    ["notin", { notin: "" }, true],
    ["a=in", { a: "in" }, true],
    ["n>5", { n: "6" }, true],
    ["n>5", { n: "six" }, false],
    ["n<5", {}, false],
    ["constructor", {}, false],
    ["!toString", {}, true],
  ])("%j on %j: %j", (text, labels, expected) => {
    expect(matches(text, labels as Record<string, string>)).toBe(expected);
  });

  test.each([
    ["app in node-agent", "unable to parse requirement: found 'node-agent' expected: '('"],
    ["app notin", "unable to parse requirement: found '' expected: '('"],
    ["a in (b", "unable to parse requirement: found '', expected: ',' or ')'"],
    ["a in (b c)", "unable to parse requirement: found 'c', expected: ',' or ')'"],
    ["a in (b,", "unable to parse requirement: found '', expected: ',', or identifier"],
    ["a in (=)", "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ["a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ["a!", "unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt"],
    ["a===b", "unable to parse requirement: found '=', expected: identifier"],
    ["!", "unable to parse requirement: found '', expected: identifier"],
    ["=x", "found '=', expected: !, identifier, or 'end of string'"],
    ["(a)", "found '(', expected: !, identifier, or 'end of string'"],
    ["a=b c", "found 'c', expected: ',' or 'end of string'"],
    ["!a=b", "found '=', expected: ',' or 'end of string'"],
    ["a,", "found '', expected: identifier after ','"],
    ["a=b,,c", "found ',', expected: identifier after ','"],
    ["-a=b", `unable to parse requirement: <nil>: Invalid value: "-a": ${name}`],
    ["a=-b", `unable to parse requirement: values[0][a]: Invalid value: "-b": ${value}`],
    [
      "n>five",
      `unable to parse requirement: values[0]: Invalid value: "five": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
  ])("%j is refused", (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(new Error(message));
  });
});

describe("a field selector", () => {
  test("is a list of terms", () => {
    expect(parseFieldSelector("metadata.name=a\\,b,status.phase!=Running,x==")).toEqual([
      { field: "metadata.name", operator: "=", value: "a,b" },
      { field: "status.phase", operator: "!=", value: "Running" },
      { field: "x", operator: "=", value: "" },
    ]);
  });

  test("that can't be read is refused", () => {
    expect(() => parseFieldSelector("a=b,c")).toThrow("invalid selector: 'a=b,c'; can't understand 'c'");
  });
});
