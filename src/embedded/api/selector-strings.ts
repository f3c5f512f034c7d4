import { type LabelRequirement, type Labels, matchesRequirement } from "./label-selector.ts";
import { labelValueErrors, qualifiedNameErrors } from "./names.ts";

/** Parses `app in (a,b),tier!=x,!gone` (k8s.io/apimachinery/pkg/labels.Parse). Throws Error in its words. */
export function parseLabelSelector(text: string): LabelRequirement[] {
  const tokens = new Tokens(text);
  const requirements: LabelRequirement[] = [];
  while (tokens.next !== "") {
    if (tokens.next !== "!" && !isIdentifier(tokens.next)) {
      throw new Error(`found '${tokens.next}', expected: !, identifier, or 'end of string'`);
    }
    try {
      requirements.push(parseRequirement(tokens));
    } catch (error) {
      throw new Error(`unable to parse requirement: ${(error as Error).message}`);
    }
    const separator = tokens.take();
    if (separator === "") break;
    if (separator !== ",") throw new Error(`found '${separator}', expected: ',' or 'end of string'`);
    if (tokens.next !== "!" && !isIdentifier(tokens.next)) {
      throw new Error(`found '${tokens.next}', expected: identifier after ','`);
    }
  }
  return requirements;
}

/** What a selector is made of; "" is its end. */
class Tokens {
  private readonly tokens: readonly string[];
  private at = 0;

  constructor(text: string) {
    this.tokens = text.match(/==|!=|[=!<>(),]|[^=!<>(), \t\r\n]+/g) ?? [];
  }

  get next(): string {
    return this.tokens[this.at] ?? "";
  }

  take(): string {
    const token = this.next;
    this.at += 1;
    return token;
  }

  takeIdentifier(): string {
    const token = this.take();
    if (!isIdentifier(token)) throw new Error(`found '${token}', expected: identifier`);
    return token;
  }
}

/** `in` and `notin` may be keys and values, too. */
function isIdentifier(token: string): boolean {
  return token !== "" && !/^[=!<>(),]/.test(token);
}

function isEnd(token: string): boolean {
  return token === "" || token === ",";
}

function parseRequirement(tokens: Tokens): LabelRequirement {
  const isNegated = tokens.next === "!";
  if (isNegated) tokens.take();
  const key = tokens.takeIdentifier();
  const fault = qualifiedNameErrors(key).join("; ");
  if (fault !== "") throw new Error(invalidValue("<nil>", key, fault));
  if (isNegated) return { key, operator: "DoesNotExist" };
  if (isEnd(tokens.next)) return { key, operator: "Exists" };
  const sign = tokens.take();
  const operator = operators[sign];
  if (operator === undefined) throw new Error(`found '${sign}', expected: in, notin, =, ==, !=, gt, lt`);
  const given = sign === "in" || sign === "notin" ? parseSet(tokens) : [parseExactValue(tokens)];
  const values = [...new Set(given)].sort();
  const faults = values.flatMap((value, i) => valueFaults(key, operator, value, i));
  if (faults.length > 0) throw new Error(faults.length === 1 ? faults[0] : `[${faults.join(", ")}]`);
  return { key, operator, values };
}

const operators: Record<string, string | undefined> = Object.assign(Object.create(null), {
  in: "In",
  notin: "NotIn",
  "=": "In",
  "==": "In",
  "!=": "NotIn",
  ">": "Gt",
  "<": "Lt",
});

function parseExactValue(tokens: Tokens): string {
  return isEnd(tokens.next) ? "" : tokens.takeIdentifier();
}

/** `(a,b)`; a value that is left out is the empty one. */
function parseSet(tokens: Tokens): string[] {
  const opening = tokens.take();
  if (opening !== "(") throw new Error(`found '${opening}' expected: '('`);
  if (tokens.next !== ")" && tokens.next !== "," && !isIdentifier(tokens.next)) {
    throw new Error(`found '${tokens.next}', expected: ',', ')' or identifier`);
  }
  const values: string[] = [];
  let value = "";
  for (;;) {
    const token = tokens.take();
    if (token === ")") return [...values, value];
    if (token === ",") {
      values.push(value);
      value = "";
    } else if (isIdentifier(token)) {
      value = token;
      if (tokens.next !== "," && tokens.next !== ")") {
        throw new Error(`found '${tokens.next}', expected: ',' or ')'`);
      }
    } else throw new Error(`found '${token}', expected: ',', or identifier`);
  }
}

function valueFaults(key: string, operator: string, value: string, index: number): string[] {
  const faults: string[] = [];
  const at = `values[${index}]`;
  if ((operator === "Gt" || operator === "Lt") && !/^[+-]?[0-9]+$/.test(value)) {
    faults.push(invalidValue(at, value, "for 'Gt', 'Lt' operators, the value must be an integer"));
  }
  const fault = labelValueErrors(value).join("; ");
  if (fault !== "") faults.push(invalidValue(`${at}[${key}]`, value, fault));
  return faults;
}

function invalidValue(field: string, value: string, why: string): string {
  return `${field}: Invalid value: ${JSON.stringify(value)}: ${why}`;
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
