/** A shell script as far as we read it: what it comes to is worked out by `execution.ts`. */
export type Statement =
  | { kind: "command"; words: string[]; redirect?: string }
  | { kind: "and" | "or"; left: Statement; right: Statement }
  | { kind: "sequence"; parts: Statement[] }
  | { kind: "loop"; until: boolean; condition: Statement; body: Statement }
  | { kind: "for"; name: string; words: string[]; body: Statement }
  | { kind: "if"; condition: Statement; then: Statement; otherwise?: Statement };

interface Token {
  text: string;
  operator: boolean;
}

/**
 * Reads the plain shell that manifests contain: commands, quotes, `;`, `&&`, `||`, redirection to a file, `while`,
 * `until`, `for` and `if`.
 * @returns undefined for anything beyond that
 */
export function parseScript(script: string): Statement | undefined {
  const tokens = tokenize(script);
  if (tokens === undefined) return undefined;
  const parser = new Parser(tokens);
  const statement = parser.sequence([]);
  return parser.failed || !parser.atEnd ? undefined : statement;
}

function tokenize(script: string): Token[] | undefined {
  const tokens: Token[] = [];
  const pattern =
    /\s*(?:(\n|;;?|&&|\|\||\||&|>>|>|<|\(|\))|((?:"(?:\\.|[^"\\])*"|'[^']*'|\$\(\([^)]*\)\)|\$\([^)]*\)|\\.|[^\s;&|<>()"'\\])+))|#[^\n]*/y;
  const text = script.replace(/[^\S\n]+/g, (blank) => blank[0]!).replace(/\s+$/, "");
  pattern.lastIndex = 0;
  let position = 0;
  while (position < text.length) {
    const blanks = /[^\S\n]*/y;
    blanks.lastIndex = position;
    position += blanks.exec(text)![0].length;
    if (text[position] === "\n") {
      tokens.push({ text: ";", operator: true });
      position += 1;
      continue;
    }
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match === null) return undefined;
    if (match[1] !== undefined) tokens.push({ text: match[1], operator: true });
    else if (match[2] !== undefined) tokens.push({ text: match[2], operator: false });
    position = pattern.lastIndex;
  }
  return tokens;
}

class Parser {
  failed = false;
  private position = 0;

  constructor(private readonly tokens: Token[]) {}

  get atEnd(): boolean {
    return this.position >= this.tokens.length;
  }

  /** Statements up to one of the words that end a block. */
  sequence(ends: string[]): Statement {
    const parts: Statement[] = [];
    for (;;) {
      while (this.operator(";") || this.operator("&")) this.position += 1;
      if (this.atEnd || this.failed || ends.includes(this.peek()?.text ?? "")) break;
      parts.push(this.chain());
    }
    return parts.length === 1 ? parts[0]! : { kind: "sequence", parts };
  }

  private chain(): Statement {
    let left = this.simple();
    while (this.operator("&&") || this.operator("||")) {
      const kind = this.tokens[this.position++]!.text === "&&" ? "and" : "or";
      while (this.operator(";")) this.position += 1;
      left = { kind, left, right: this.simple() };
    }
    return left;
  }

  private simple(): Statement {
    const word = this.peek();
    if (word === undefined || word.operator) return this.fail();
    if (word.text === "while" || word.text === "until") {
      this.position += 1;
      const condition = this.sequence(["do"]);
      const body = this.block("do", ["done"]);
      this.expect("done");
      return { kind: "loop", until: word.text === "until", condition, body };
    }
    if (word.text === "for") {
      const name = this.tokens[this.position + 1]?.text ?? "";
      this.position += 2;
      this.expect("in");
      const words: string[] = [];
      while (!this.atEnd && !this.peek()!.operator) words.push(this.tokens[this.position++]!.text);
      while (this.operator(";")) this.position += 1;
      const body = this.block("do", ["done"]);
      this.expect("done");
      return { kind: "for", name, words, body };
    }
    if (word.text === "if") {
      this.position += 1;
      const condition = this.sequence(["then"]);
      const then = this.block("then", ["else", "fi"]);
      const otherwise = this.peek()?.text === "else" ? this.block("else", ["fi"]) : undefined;
      this.expect("fi");
      return { kind: "if", condition, then, ...(otherwise === undefined ? {} : { otherwise }) };
    }
    return this.command();
  }

  private command(): Statement {
    const words: string[] = [];
    let redirect: string | undefined;
    for (let token = this.peek(); token !== undefined; token = this.peek()) {
      if (!token.operator) {
        words.push(token.text);
        this.position += 1;
      } else if (token.text === ">" || token.text === ">>") {
        const file = this.tokens[this.position + 1];
        // `2>&1` and the like: the number belongs to the redirection.
        if (/^[0-9]$/.test(words[words.length - 1] ?? "")) words.pop();
        if (file?.operator) {
          this.position += 3;
          continue;
        }
        redirect = file?.text;
        this.position += 2;
      } else break;
    }
    if (this.operator("|") || this.operator("(") || this.operator("<") || words.length === 0) return this.fail();
    return { kind: "command", words, ...(redirect === undefined ? {} : { redirect }) };
  }

  private block(start: string, ends: string[]): Statement {
    this.expect(start);
    return this.sequence(ends);
  }

  private expect(text: string): void {
    if (this.peek()?.text !== text) this.failed = true;
    else this.position += 1;
  }

  private operator(text: string): boolean {
    const token = this.peek();
    return token?.operator === true && token.text === text;
  }

  private peek(): Token | undefined {
    return this.tokens[this.position];
  }

  private fail(): Statement {
    this.failed = true;
    return { kind: "sequence", parts: [] };
  }
}
