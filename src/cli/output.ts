import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Where a command's words go. */
export interface Output {
  readonly format: "text" | "json";
  /** True when a person watches: spinners and questions make sense. */
  readonly interactive: boolean;
  /** The command's result: `document` as JSON on stdout with `-o json`, else the text that `render` makes. */
  result(document: unknown, render: () => string): void;
  /** Something said on the way (warnings, progress, what to do next): always on stderr. */
  note(text: string): void;
  /** `text` in a style, or plain where colours are off; `stream` is where it will be printed, stdout unless said. */
  paint(style: Style, text: string, stream?: "stdout" | "stderr"): string;
  /** Columns of stdout, for wrapping; 80 when it is not a terminal. */
  readonly width: number;
  /** A progress line; nothing where nobody watches. `done` leaves no trace, `fail` leaves the line marked. */
  spinner(text: string): Promise<Spinner>;
}

export interface Spinner {
  update(text: string): void;
  done(text?: string): void;
  fail(): void;
}

export interface Streams {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  stdin: NodeJS.ReadStream;
}

/**
 * @param color what `--no-color` said; NO_COLOR and a stream that is no terminal turn colours off too
 *   (https://no-color.org), FORCE_COLOR turns them on
 */
export function createOutput(options: {
  format: "text" | "json";
  color: boolean;
  env: NodeJS.ProcessEnv;
  streams: Streams;
}): Output {
  const { format, env, streams } = options;
  const colored = (stream: NodeJS.WriteStream) => {
    if (!options.color || (env["NO_COLOR"] ?? "") !== "") return false;
    const force = env["FORCE_COLOR"] ?? "";
    return (force !== "" && force !== "0") || (stream.isTTY === true && env["TERM"] !== "dumb");
  };
  const colors = { stdout: colored(streams.stdout), stderr: colored(streams.stderr) };
  const interactive = format === "text" && streams.stdin.isTTY === true && streams.stderr.isTTY === true;
  return {
    format,
    interactive,
    width: Math.max(40, Math.min(streams.stdout.columns ?? 80, 100)),
    result(document, render) {
      if (format === "json") streams.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
      else {
        const text = render();
        if (text !== "") streams.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
      }
    },
    note(text) {
      streams.stderr.write(`${text}\n`);
    },
    paint(style, text, stream = "stdout") {
      return colors[stream] ? styleText(style, text, { validateStream: false } as never) : text;
    },
    async spinner(text) {
      if (streams.stderr.isTTY !== true || env["TERM"] === "dumb") return { update() {}, done() {}, fail() {} };
      const { default: ora } = await import("ora");
      const line = ora({ text, stream: streams.stderr, discardStdin: false }).start();
      return {
        update(next) {
          line.text = next;
        },
        done(last) {
          if (last === undefined) line.stop();
          else line.succeed(last);
        },
        fail() {
          line.fail();
        },
      };
    },
  };
}
