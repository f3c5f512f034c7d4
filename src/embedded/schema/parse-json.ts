/** A text that is no JSON; the message is encoding/json's. */
export class JsonSyntaxError extends Error {
  override name = "JsonSyntaxError";
}

export interface ParsedJson {
  value: unknown;
  /** `duplicate field "spec.replicas"`, in the order met; the last one counts. */
  duplicates: string[];
}

/**
 * Parses JSON as sigs.k8s.io/json does: syntax errors in its words, and keys that come twice in an object told.
 *
 * @throws JsonSyntaxError
 */
export function parseJson(text: string): ParsedJson {
  const parser = new Parser(text);
  const value = parser.document();
  return { value, duplicates: parser.duplicates };
}

class Parser {
  readonly duplicates: string[] = [];
  private at = 0;

  constructor(private readonly text: string) {}

  document(): unknown {
    const value = this.value("");
    this.blanks();
    if (this.at < this.text.length) this.unexpected("after top-level value");
    return value;
  }

  private value(path: string): unknown {
    this.blanks();
    const c = this.text[this.at];
    switch (c) {
      case "{":
        return this.object(path);
      case "[":
        return this.array(path);
      case '"':
        return this.string();
      case "t":
        return this.literal("true", true);
      case "f":
        return this.literal("false", false);
      case "n":
        return this.literal("null", null);
      default:
        if (c !== undefined && /[-0-9]/.test(c)) return this.number();
        return this.unexpected("looking for beginning of value");
    }
  }

  private object(path: string): Record<string, unknown> {
    const out: Record<string, unknown> = {};
    const seen = new Set<string>();
    this.at += 1;
    this.blanks();
    if (this.text[this.at] === "}") {
      this.at += 1;
      return out;
    }
    for (;;) {
      this.blanks();
      if (this.text[this.at] !== '"') this.unexpected("looking for beginning of object key string");
      const key = this.string();
      const where = path === "" ? key : `${path}.${key}`;
      if (seen.has(key)) this.duplicates.push(`duplicate field ${JSON.stringify(where)}`);
      seen.add(key);
      this.blanks();
      if (this.text[this.at] !== ":") this.unexpected("after object key");
      this.at += 1;
      const value = this.value(where);
      // A plain assignment of __proto__ would not make a property.
      Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true });
      this.blanks();
      const c = this.text[this.at];
      if (c !== "," && c !== "}") this.unexpected("after object key:value pair");
      this.at += 1;
      if (c === "}") return out;
    }
  }

  private array(path: string): unknown[] {
    const out: unknown[] = [];
    this.at += 1;
    this.blanks();
    if (this.text[this.at] === "]") {
      this.at += 1;
      return out;
    }
    for (;;) {
      out.push(this.value(`${path}[${out.length}]`));
      this.blanks();
      const c = this.text[this.at];
      if (c !== "," && c !== "]") this.unexpected("after array element");
      this.at += 1;
      if (c === "]") return out;
    }
  }

  private string(): string {
    const start = this.at;
    this.at += 1;
    for (;;) {
      const c = this.text[this.at];
      if (c === undefined) return this.unexpected("in string literal");
      if (c === '"') break;
      if (c < " ") return this.unexpected("in string literal");
      if (c === "\\") {
        this.at += 1;
        const escape = this.text[this.at];
        if (escape === undefined || !/["\\/bfnrtu]/.test(escape)) return this.unexpected("in string escape code");
        if (escape === "u") {
          for (let i = 0; i < 4; i += 1) {
            this.at += 1;
            if (!/[0-9a-fA-F]/.test(this.text[this.at] ?? "")) {
              return this.unexpected("in \\u hexadecimal character escape");
            }
          }
        }
      }
      this.at += 1;
    }
    this.at += 1;
    return JSON.parse(this.text.slice(start, this.at)) as string;
  }

  private number(): number {
    const rest = this.text.slice(this.at, this.at + 400);
    const match = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/.exec(rest);
    if (match === null) {
      this.at += 1;
      return this.unexpected("in numeric literal");
    }
    this.at += match[0].length;
    return Number(match[0]);
  }

  private literal<T>(word: string, value: T): T {
    for (let i = 0; i < word.length; i += 1) {
      if (this.text[this.at] !== word[i]) return this.unexpected(`in literal ${word} (expecting ${quote(word[i]!)})`);
      this.at += 1;
    }
    return value;
  }

  private blanks(): void {
    while (/[ \t\r\n]/.test(this.text[this.at] ?? "")) this.at += 1;
  }

  private unexpected(where: string): never {
    const c = this.text[this.at];
    throw new JsonSyntaxError(
      c === undefined ? "unexpected end of JSON input" : `invalid character ${quote(c)} ${where}`,
    );
  }
}

/** A character in single quotes, as Go's scanner shows it. */
function quote(c: string): string {
  if (c === "'") return "'\\''";
  if (c === '"') return "'\"'";
  return `'${JSON.stringify(c).slice(1, -1)}'`;
}
