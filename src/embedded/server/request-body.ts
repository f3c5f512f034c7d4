import type { IncomingMessage } from "node:http";
import { JSON_SCHEMA, load } from "js-yaml";
import { ApiError, apiError } from "../api/api-error.ts";
import { parseErrors } from "../registry/request-body.ts";
import { parseJson } from "../schema/parse-json.ts";

/** Deeper than any object of the API, and shallow enough for every function that walks one. */
const maxDepth = 500;
/** What a YAML document may grow to through its aliases. */
const maxValues = 1_000_000;

/**
 * @throws ApiError 413 when the body is larger than Kubernetes takes, 408 when it is not there in time, 400 when it
 *   breaks off
 */
export function readBody(
  request: IncomingMessage,
  limits: { maxBody: number; requestTimeout: number },
): Promise<Buffer> {
  const { maxBody, requestTimeout } = limits;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      request.removeAllListeners("data");
      // What still comes is thrown away: the client gets the answer, not a broken connection.
      request.resume();
      finish();
    };
    const fail = (error: ApiError) => settle(() => reject(error));
    const timer = setTimeout(
      () => fail(new ApiError(408, "Timeout", "request body was not received in time")),
      requestTimeout,
    );
    if (Number(request.headers["content-length"] ?? 0) > maxBody) {
      fail(tooLarge(maxBody));
      return;
    }
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBody) fail(tooLarge(maxBody));
      else chunks.push(chunk);
    });
    request.once("end", () => settle(() => resolve(Buffer.concat(chunks))));
    request.once("error", () => fail(apiError.badRequest("unexpected EOF")));
    request.once("close", () => fail(apiError.badRequest("unexpected EOF")));
  });
}

function tooLarge(limit: number): ApiError {
  return apiError.requestTooLarge(`Request entity too large: limit is ${limit}`);
}

/** The media type of a Content-Type header. */
export function mediaType(header: string | undefined): string {
  return (header ?? "application/json").split(";")[0]!.trim().toLowerCase();
}

/**
 * A JSON or YAML body as a value; undefined for an empty one.
 *
 * @throws ApiError 400 for a text that is neither or that nests without end, 415 for another media type
 */
export function parseBody(body: Buffer, type: string): unknown {
  if (body.length === 0) return undefined;
  const value = parseText(body.toString("utf8"), type);
  assertModest(value);
  return value;
}

function parseText(text: string, type: string): unknown {
  switch (type) {
    case "application/json":
    case "application/json-patch+json":
    case "application/merge-patch+json":
    case "application/strategic-merge-patch+json":
      return parseJsonBody(text, type);
    case "application/yaml":
    case "application/apply-patch+yaml":
      try {
        return load(text, { schema: JSON_SCHEMA });
      } catch (error) {
        throw apiError.badRequest(`error decoding YAML: ${(error as Error).message}`);
      }
    default:
      throw apiError.unsupportedMediaType(
        `the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf`,
      );
  }
}

/** Bodies beyond this are not looked through for keys that come twice. */
const maxScanned = 512 * 1024;

function parseJsonBody(text: string, type: string): unknown {
  try {
    if (text.length > maxScanned) return JSON.parse(text);
    const { value, duplicates } = parseJson(text);
    if (duplicates.length > 0 && typeof value === "object" && value !== null) {
      Object.defineProperty(value, parseErrors, { value: duplicates });
    }
    return value;
  } catch (error) {
    const { message } = error as Error;
    throw apiError.badRequest(
      type === "application/json"
        ? `couldn't get version/kind; json parse error: ${message}`
        : // A patch that can't be read is refused in the parser's own words.
          message,
    );
  }
}

/**
 * Refuses what would exhaust the stack or, through aliases, the memory; drops the one key that JavaScript takes for
 * something else.
 */
function assertModest(value: unknown): void {
  let count = 0;
  const waiting: [unknown, number][] = [[value, 0]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [current, depth] = next;
    if (typeof current !== "object" || current === null) continue;
    if (depth > maxDepth) throw apiError.badRequest("exceeded max depth");
    Reflect.deleteProperty(current, "__proto__");
    for (const child of Object.values(current)) {
      count += 1;
      if (count > maxValues) throw apiError.badRequest("document contains excessive aliasing");
      if (typeof child === "object" && child !== null) waiting.push([child, depth + 1]);
    }
  }
}
