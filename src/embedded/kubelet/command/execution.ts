import { parseScript, type Statement } from "./parse-script.ts";

/** What a command may ask of the world around it. */
export interface Surroundings {
  env: Record<string, string>;
  hostname: string;
  /** Milliseconds since the epoch at which the command started. */
  startedAt: number;
  /** Whether a name is known to the cluster's DNS now: a Service's. */
  resolves(name: string): boolean;
  /** True where a program we know nothing of is taken to finish well, false where it is taken to go on serving. */
  unknownEnds: boolean;
  memoryLimit?: number;
}

export interface Ending {
  /** Milliseconds after the start. */
  at: number;
  code: number;
  reason?: "OOMKilled" | "StartError";
  message?: string;
}

class Exit extends Error {
  constructor(
    readonly code: number,
    readonly details: Partial<Ending> = {},
  ) {
    super("exit");
  }
}

const shells = new Set(["sh", "bash", "ash", "dash", "/bin/sh", "/bin/bash", "/bin/ash", "/usr/bin/bash"]);
/** More output than this is of no use to anyone, and a loop without a pause must not hold us up. */
const maxLines = 5000;
const maxSteps = 20_000;

/**
 * A command that runs in simulated time: what it prints, which files it makes and when it ends, as far as that is
 * evident from its text (`sleep 5`, `exit 3`, `echo …; false`, `touch /tmp/healthy`, loops of these).
 */
export class Execution {
  readonly lines: { at: number; text: string }[] = [];
  readonly files = new Set<string>();
  ending: Ending | undefined;
  /** When something happens next, in milliseconds after the start; Infinity when it just goes on. */
  next = 0;
  private readonly steps: Generator<number, number>;
  private readonly variables: Record<string, string>;
  private count = 0;

  constructor(
    command: readonly string[],
    private readonly around: Surroundings,
  ) {
    this.variables = { ...around.env };
    this.steps = this.program(command);
  }

  /** Carries on until `elapsed` milliseconds after the start. */
  advance(elapsed: number): void {
    while (this.ending === undefined && this.next <= elapsed) {
      try {
        const step = this.steps.next();
        if (step.done) this.ending = { at: this.next, code: step.value };
        else this.next += step.value;
      } catch (error) {
        if (!(error instanceof Exit)) throw error;
        this.ending = { at: this.next, code: error.code, ...error.details };
      }
    }
  }

  private *program(command: readonly string[]): Generator<number, number> {
    const shell = shells.has(command[0] ?? "");
    const flag = command.findIndex((word) => /^-[a-z]*c$/.test(word));
    if (shell && flag > 0) {
      const script = parseScript(command[flag + 1] ?? "");
      if (script === undefined) return yield* this.unknown(command);
      return yield* this.run(script, true);
    }
    // A shell without a terminal has nothing to read and ends.
    if (shell && command.length === 1) return 0;
    return yield* this.execute([...command], true);
  }

  private *run(statement: Statement, last: boolean): Generator<number, number> {
    this.count += 1;
    if (this.count > maxSteps) yield Number.POSITIVE_INFINITY;
    switch (statement.kind) {
      case "command": {
        const words = statement.words.map((w) => this.expand(w));
        const code = yield* this.execute(words, last, statement.redirect !== undefined);
        if (statement.redirect !== undefined && code === 0) this.files.add(this.expand(statement.redirect));
        return code;
      }
      case "and":
      case "or": {
        const code = yield* this.run(statement.left, false);
        return (code === 0) === (statement.kind === "and") ? yield* this.run(statement.right, last) : code;
      }
      case "sequence": {
        let code = 0;
        for (const [i, part] of statement.parts.entries()) {
          code = yield* this.run(part, last && i === statement.parts.length - 1);
        }
        return code;
      }
      case "loop": {
        for (let turns = 0; ; turns++) {
          const code = yield* this.run(statement.condition, false);
          if ((code === 0) === statement.until) return 0;
          const before = this.next;
          yield* this.run(statement.body, false);
          // A loop that never pauses would never give the turn back.
          if (this.next === before) yield turns < 100 ? 10 : 1000;
          this.count = 0;
        }
      }
      case "for": {
        let code = 0;
        for (const word of statement.words.flatMap((w) => this.expand(w).split(/\s+/)).flatMap(range)) {
          this.variables[statement.name] = word;
          code = yield* this.run(statement.body, false);
        }
        return code;
      }
      case "if": {
        const code = yield* this.run(statement.condition, false);
        if (code === 0) return yield* this.run(statement.then, last);
        return statement.otherwise ? yield* this.run(statement.otherwise, last) : 0;
      }
    }
  }

  private *execute(words: string[], last: boolean, quiet = false): Generator<number, number> {
    const [name = "", ...args] = words;
    const assignment = words.length === 1 ? /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(name) : null;
    if (assignment) {
      this.variables[assignment[1]!] = assignment[2]!;
      return 0;
    }
    const program = name.slice(name.lastIndexOf("/") + 1);
    switch (program) {
      case "true":
      case ":":
      case "trap":
      case "set":
      case "cd":
      case "export":
      case "mkdir":
      case "chmod":
      case "chown":
        return 0;
      case "false":
        return 1;
      case "exit":
        throw new Exit(Number(args[0] ?? 0) & 255);
      case "exec":
        return yield* this.execute(args, last, quiet);
      case "sleep":
        yield duration(args);
        return 0;
      case "echo":
      case "printf":
        if (!quiet) this.print(args.filter((a, i) => i > 0 || !/^-[ne]+$/.test(a)).join(" "));
        return 0;
      case "date":
        if (!quiet) this.print(dateText(this.around.startedAt + this.next));
        return 0;
      case "hostname":
        if (!quiet) this.print(this.around.hostname);
        return 0;
      case "env":
      case "printenv":
        for (const [k, v] of Object.entries(this.variables)) this.print(`${k}=${v}`);
        return 0;
      case "touch":
        for (const file of args) this.files.add(file);
        return 0;
      case "rm":
        for (const file of args.filter((a) => !a.startsWith("-"))) {
          this.files.delete(file);
          for (const known of this.files) if (known.startsWith(`${file}/`)) this.files.delete(known);
        }
        return 0;
      case "cat":
      case "ls":
        return this.readFiles(program, args);
      case "test":
      case "[":
        return this.test(args.filter((a) => a !== "]"));
      case "nslookup":
        return this.around.resolves(args.find((a) => !a.startsWith("-")) ?? "") ? 0 : 1;
      case "wait":
      case "tail":
        if (args.includes("/dev/zero") && this.around.memoryLimit !== undefined) return yield* this.outOfMemory();
        yield Number.POSITIVE_INFINITY;
        return 0;
      case "stress":
        return yield* this.stress(args);
      default:
        return yield* this.unknown(words, last);
    }
  }

  /** A program we know nothing of: the last one of a server's script serves on, any other has done its work. */
  private *unknown(words: readonly string[], last = true): Generator<number, number> {
    const name = words[0] ?? "";
    if (/does-?not-?exist|non-?existent|no-?such|not-?found/.test(name)) {
      if (!last || this.count > 0) {
        this.print(`sh: ${name}: not found`);
        return 127;
      }
      throw new Exit(128, {
        reason: "StartError",
        message: `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: exec: ${JSON.stringify(name)}: executable file not found in $PATH`,
      });
    }
    if (!last) return 0;
    yield this.around.unknownEnds && !servers.test(name) ? 1000 : Number.POSITIVE_INFINITY;
    return 0;
  }

  private *stress(args: string[]): Generator<number, number> {
    const asked = bytes(args[args.indexOf("--vm-bytes") + 1] ?? "256M");
    const { memoryLimit } = this.around;
    if (args.includes("--vm-bytes") && memoryLimit !== undefined && asked > memoryLimit)
      return yield* this.outOfMemory();
    const timeout = args.indexOf("--timeout");
    yield timeout < 0 ? Number.POSITIVE_INFINITY : duration([args[timeout + 1] ?? "1"]);
    return 0;
  }

  private *outOfMemory(): Generator<number, number> {
    yield 300;
    throw new Exit(137, { reason: "OOMKilled" });
  }

  private readFiles(program: string, args: string[]): number {
    const missing = args.find((a) => !a.startsWith("-") && /^\/tmp\//.test(a) && !this.files.has(a));
    if (missing === undefined) return 0;
    const what = program === "cat" ? "can't open" : "";
    this.print(
      `${program}: ${what === "" ? "" : `${what} `}${what === "" ? missing : `'${missing}'`}: No such file or directory`,
    );
    return 1;
  }

  private test(args: string[]): number {
    const [first = "", second = "", third] = args;
    if (first === "!") return this.test(args.slice(1)) === 0 ? 1 : 0;
    if (first === "-f" || first === "-e" || first === "-d") return this.files.has(second) ? 0 : 1;
    if (first === "-z") return second === "" ? 0 : 1;
    if (first === "-n") return second === "" ? 1 : 0;
    const numbers: Record<string, (a: number, b: number) => boolean> = {
      "-eq": (a, b) => a === b,
      "-ne": (a, b) => a !== b,
      "-lt": (a, b) => a < b,
      "-le": (a, b) => a <= b,
      "-gt": (a, b) => a > b,
      "-ge": (a, b) => a >= b,
    };
    if (third === undefined) return first === "" ? 1 : 0;
    const compare = numbers[second];
    if (compare) return compare(Number(first), Number(third)) ? 0 : 1;
    return (first === third) === (second !== "!=") ? 0 : 1;
  }

  private print(text: string): void {
    for (const line of text.split("\n")) this.lines.push({ at: this.next, text: line });
    if (this.lines.length > maxLines) this.lines.splice(0, this.lines.length - maxLines);
  }

  /** Takes quotes away and puts variables' values in. */
  private expand(word: string): string {
    return word.replace(
      /'([^']*)'|"((?:\\.|[^"\\])*)"|((?:\$\(\([^)]*\)\)|\$\([^)]*\)|\\.|[^'"\\])+)/g,
      (_all, single?: string, double?: string, bare?: string) =>
        single ?? this.substitute((double ?? bare ?? "").replace(/\\(["\\$`])/g, "$1")),
    );
  }

  private substitute(text: string): string {
    return text
      .replace(/\$\(date[^)]*\)|`date[^`]*`/g, () => dateText(this.around.startedAt + this.next))
      .replace(/\$\(hostname\)/g, this.around.hostname)
      .replace(
        /\$\(\(([A-Za-z_]\w*|\d+)\s*([-+*])\s*([A-Za-z_]\w*|\d+)\)\)/g,
        (_a, l: string, op: string, r: string) => {
          const value = (w: string) => Number(/^\d/.test(w) ? w : (this.variables[w] ?? 0));
          return String(op === "+" ? value(l) + value(r) : op === "-" ? value(l) - value(r) : value(l) * value(r));
        },
      )
      .replace(/\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?/g, (_all, name: string) =>
        name === "HOSTNAME" ? (this.variables[name] ?? this.around.hostname) : (this.variables[name] ?? ""),
      );
  }
}

const servers =
  /(^|\/)(nginx|httpd|apache2|redis-server|mongod|mysqld|postgres|memcached|java|node|npm|gunicorn|uvicorn|flask|agnhost|pause|top|httpd-foreground|fluentd|fluent-bit|haproxy|envoy|traefik|caddy|etcd|consul|vault|nc|socat|tini|dumb-init|serve_hostname|node_exporter|supervisord|watch)$/;

function duration(args: string[]): number {
  const units: Record<string, number> = { "": 1, s: 1, m: 60, h: 3600, d: 86_400 };
  let seconds = 0;
  for (const arg of args) {
    if (arg === "infinity" || arg === "inf") return Number.POSITIVE_INFINITY;
    const parts = /^([0-9]*\.?[0-9]+)([smhd]?)$/.exec(arg);
    if (parts === null) throw new Exit(1);
    seconds += Number(parts[1]) * (units[parts[2] ?? ""] ?? 1);
  }
  return seconds * 1000;
}

function bytes(text: string): number {
  const parts = /^([0-9.]+)([kKmMgG]?)/.exec(text);
  const powers: Record<string, number> = { "": 0, k: 1, m: 2, g: 3 };
  return Number(parts?.[1] ?? 0) * 1024 ** (powers[(parts?.[2] ?? "").toLowerCase()] ?? 0);
}

/** `{1..5}` of bash. */
function range(word: string): string[] {
  const parts = /^\{([0-9]+)\.\.([0-9]+)\}$/.exec(word);
  if (parts === null) return [word];
  const from = Number(parts[1]);
  return Array.from({ length: Math.min(10_000, Math.max(0, Number(parts[2]) - from + 1)) }, (_, i) => String(from + i));
}

function dateText(ms: number): string {
  const [day, date, month, year, time] = new Date(ms).toUTCString().replace(",", "").split(" ");
  return `${day} ${month} ${String(Number(date)).padStart(2, " ")} ${time} UTC ${year}`;
}
