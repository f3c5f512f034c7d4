import { type LabelRequirement, type Labels, matchesRequirement } from "./label-selector.ts";
import { labelValueErrors, qualifiedNameErrors } from "./names.ts";

/** Parses `app in (a,b),tier!=x,!gone` (k8s.io/apimachinery/pkg/labels.Parse). Throws Error in its words. */
export function parseLabelSelector(text: string): LabelRequirement[] {
  const tokens = tokenize(text);
  const requirements: LabelRequirement[] = [];
  let at = 0;
  const peek = () => tokens[at] ?? "";
  const found = (token: string) => `found '${token}'`;
  while (at < tokens.length) {
    if (peek() === "!") {
      at += 1;
      requirements.push({ key: key(tokens[at++] ?? ""), operator: "DoesNotExist" });
    } else {
      const name = key(tokens[at++] ?? "");
      const operator = peek();
      if (operator === "" || operator === ",") requirements.push({ key: name, operator: "Exists" });
      else if (operator === "in" || operator === "notin") {
        at += 1;
        if (peek() !== "(") throw new Error(`unable to parse requirement: ${found(peek())} expected: '('`);
        at += 1;
        const values: string[] = [];
        let expectValue = true;
        while (at < tokens.length && peek() !== ")") {
          if (peek() === ",") {
            if (expectValue) values.push("");
            expectValue = true;
          } else {
            values.push(peek());
            expectValue = false;
          }
          at += 1;
        }
        if (peek() !== ")") throw new Error(`unable to parse requirement: ${found(peek())}, expected: ',' or ')'`);
        if (expectValue) values.push("");
        at += 1;
        requirements.push({ key: name, operator: operator === "in" ? "In" : "NotIn", values: values.map(value) });
      } else if (["=", "==", "!="].includes(operator)) {
        at += 1;
        const next = peek();
        const plain = next !== "" && next !== ",";
        if (plain) at += 1;
        requirements.push({
          key: name,
          operator: operator === "!=" ? "NotIn" : "In",
          values: [value(plain ? next : "")],
        });
      } else if (operator === ">" || operator === "<") {
        at += 1;
        requirements.push({ key: name, operator: operator === ">" ? "Gt" : "Lt", values: [tokens[at++] ?? ""] });
      } else {
        throw new Error(`unable to parse requirement: ${found(operator)}, expected: in, notin, =, ==, !=, gt, lt`);
      }
    }
    if (at >= tokens.length) break;
    if (peek() !== ",") throw new Error(`${found(peek())}, expected: ',' or 'end of string'`);
    at += 1;
    if (at >= tokens.length) throw new Error(`found '', expected: identifier after ','`);
  }
  return requirements;
}

export function matchesRequirements(requirements: readonly LabelRequirement[], labels: Labels | undefined): boolean {
  return requirements.every((requirement) => matchesRequirement(requirement, labels ?? {}));
}

/** One term of a field selector. */
export interface FieldTerm {
  field: string;
  operator: "=" | "!=";
  value: string;
}

/** Parses `status.phase=Running,spec.nodeName!=x` (k8s.io/apimachinery/pkg/fields). Throws Error in its words. */
export function parseFieldSelector(text: string): FieldTerm[] {
  return text
    .split(/(?<!\\),/)
    .filter((term) => term !== "")
    .map((term) => {
      const match = /^(.*?)(?<!\\)(!=|==|=)(.*)$/.exec(term);
      if (match === null) throw new Error(`invalid selector: '${text}'; can't understand '${term}'`);
      const unescape = (part: string) => part.replace(/\\([\\,=])/g, "$1");
      return { field: match[1]!, operator: match[2] === "!=" ? "!=" : "=", value: unescape(match[3]!) };
    });
}

function tokenize(text: string): string[] {
  return text.match(/==|!=|[=!<>(),]|[^=!<>(),\s]+/g) ?? [];
}

function key(text: string): string {
  const [error] = qualifiedNameErrors(text);
  if (error !== undefined)
    throw new Error(`unable to parse requirement: <nil>: Invalid value: ${JSON.stringify(text)}: ${error}`);
  return text;
}

function value(text: string): string {
  const [error] = labelValueErrors(text);
  if (error !== undefined) {
    throw new Error(`unable to parse requirement: values[0][]: Invalid value: ${JSON.stringify(text)}: ${error}`);
  }
  return text;
}
