import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent, type RequestOptions, request } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import manifest from "../../package.json" with { type: "json" };
import { PracticeError } from "../messages/practice-error.ts";
import type { Credentials } from "./kubeconfig.ts";
import { StatusError } from "./status-error.ts";

/** Tells our own requests from the learner's in the audit log. */
export const userAgent = `k8s-practice/${manifest.version}`;

export interface Call {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `/apis/apps/v1/namespaces/lab/daemonsets/node-agent` */
  path: string;
  query?: Record<string, string | undefined>;
  body?: unknown;
  contentType?: string;
  signal?: AbortSignal;
}

/**
 * A connection to one API server over keep-alive TLS. Answers that mean "not now" (connection refused or reset, 429,
 * 500, 502, 503, 504) are asked again with backoff until `patience` milliseconds are over.
 */
export class KubeClient {
  readonly #agent: Agent | HttpAgent;
  readonly #base: URL;
  readonly #headers: Record<string, string>;

  constructor(
    readonly credentials: Credentials,
    readonly options: { patience?: number } = {},
  ) {
    this.#base = new URL(credentials.server);
    // Plain HTTP is what `kubectl proxy` speaks.
    const plain = this.#base.protocol === "http:";
    const keep = { keepAlive: true, maxSockets: 16 };
    this.#agent = plain
      ? new HttpAgent(keep)
      : new Agent({
          ...keep,
          ca: credentials.ca,
          cert: credentials.cert,
          key: credentials.key,
          rejectUnauthorized: credentials.insecure !== true,
          ...(credentials.servername === undefined ? {} : { servername: credentials.servername }),
        });
    this.#headers = {
      accept: "application/json",
      "user-agent": userAgent,
      ...(credentials.token === undefined ? {} : { authorization: `Bearer ${credentials.token}` }),
      ...credentials.headers,
    };
  }

  /**
   * The answer's JSON body.
   *
   * @throws StatusError for an answer of 400 and above that another try won't change
   * @throws PracticeError of kind environment when the server can't be reached while patience lasts
   */
  async call<T = unknown>(call: Call): Promise<T> {
    const end = Date.now() + (this.options.patience ?? 10_000);
    for (let attempt = 0; ; attempt++) {
      call.signal?.throwIfAborted();
      let failure: unknown;
      try {
        return (await this.#once(call)) as T;
      } catch (error) {
        if (call.signal?.aborted || !isTransient(error)) throw error;
        failure = error;
      }
      const asked = failure instanceof StatusError ? (failure.retryAfter ?? 0) * 1000 : 0;
      const wait = Math.max(asked, Math.min(2000, 50 * 2 ** attempt));
      if (Date.now() + wait > end) throw lost(failure);
      await delay(wait, undefined, { signal: call.signal });
    }
  }

  /** Opens a request and hands back the answer as it begins; for watches. Not retried. */
  open(call: Call): Promise<IncomingMessage> {
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(call.query ?? {})) if (value !== undefined) query.set(name, value);
    const prefix = this.#base.pathname.replace(/\/$/, "");
    const options: RequestOptions = {
      agent: this.#agent,
      host: this.#base.hostname.replace(/^\[|\]$/g, ""),
      port: this.#base.port || (this.#base.protocol === "http:" ? 80 : 443),
      method: call.method ?? "GET",
      path: `${prefix}${call.path}${query.size > 0 ? `?${query}` : ""}`,
      headers: {
        ...this.#headers,
        ...(body === undefined
          ? {}
          : { "content-type": call.contentType ?? "application/json", "content-length": Buffer.byteLength(body) }),
      },
      signal: call.signal,
    };
    return new Promise((resolve, reject) => {
      const outgoing = (this.#base.protocol === "http:" ? httpRequest : request)(options, resolve);
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }

  async #once(call: Call): Promise<unknown> {
    const timeout = AbortSignal.timeout(30_000);
    const signal = call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout]);
    const answer = await this.open({ ...call, signal });
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    return readAnswer(answer, Buffer.concat(chunks).toString("utf8"));
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** @throws StatusError when the answer is no success */
export function readAnswer(answer: IncomingMessage, text: string): unknown {
  const code = answer.statusCode ?? 0;
  const body = parseJson(text);
  if (code < 400) return body;
  const status = body as { reason?: string; message?: string } | undefined;
  const retryAfter = Number(answer.headers["retry-after"]);
  throw new StatusError(
    code,
    status?.reason ?? "",
    status?.message ?? (text.trim() || `HTTP ${code}`),
    Number.isFinite(retryAfter) ? retryAfter : undefined,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isTransient(error: unknown): boolean {
  if (error instanceof StatusError) return [429, 500, 502, 503, 504].includes(error.code);
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (/CERT|SSL|TLS|ALTNAME/.test(code)) return false;
  return error instanceof Error;
}

/** The connection is gone and stayed gone. */
export function lost(cause: unknown): PracticeError {
  const reason =
    cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : String(cause);
  return new PracticeError("environment", "client.lost", { reason }, { cause });
}
