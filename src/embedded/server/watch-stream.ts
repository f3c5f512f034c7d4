import type { ServerResponse } from "node:http";
import { send } from "./answer.ts";
import type { Accepted } from "./negotiation.ts";

/**
 * The answer to a watch: one JSON document a line. Each is sent when the change it tells of would survive the death of
 * the process, in order.
 */
export class WatchStream {
  #chain: Promise<void> = Promise.resolve();
  #buffered = 0;

  constructor(
    private readonly response: ServerResponse,
    private readonly durable: (revision: number) => Promise<void>,
    /** Bytes that may wait for the reader; the stream ends when there are more. */
    private readonly maxUnread: number,
  ) {}

  /** Sends the header; from now on the client waits for events. */
  open(): void {
    if (this.response.headersSent) return;
    this.response.writeHead(200, { "content-type": "application/json", "cache-control": "no-cache, private" });
    this.response.flushHeaders();
  }

  send(revision: number, event: { type: string; object: unknown }): void {
    const line = `${JSON.stringify(event)}\n`;
    this.#buffered += line.length;
    if (this.#buffered + this.response.writableLength > this.maxUnread) {
      this.response.destroy();
      return;
    }
    this.#chain = this.#chain.then(async () => {
      await this.durable(revision);
      this.#buffered -= line.length;
      if (!this.response.destroyed) this.response.write(line);
    });
    this.#chain.catch(() => this.response.destroy());
  }

  /** Ends when all that was sent before is out. */
  end(): void {
    this.#chain = this.#chain.then(() => {
      if (!this.response.destroyed) this.response.end();
    });
  }

  /** An error before the first event is a plain answer. */
  fail(code: number, status: unknown, accepted?: Accepted): void {
    send(this.response, code, status, accepted);
  }
}
