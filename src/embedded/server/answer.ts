import type { ServerResponse } from "node:http";
import { dump } from "js-yaml";
import { ApiError, apiError } from "../api/api-error.ts";
import type { Accepted } from "./negotiation.ts";

const controlCharacters = /[\u0000-\u001f\u007f]+/g;

/** `Warning: 299 - "text"` headers (RFC 7234, 5.5), as kubectl prints them. */
export function setWarnings(response: ServerResponse, warnings: readonly string[]): void {
  const unique = [...new Set(warnings)];
  if (unique.length === 0) return;
  const quoted = shortened(unique).map(
    (text) => `299 - "${text.replace(/["\\]/g, "\\$&").replace(controlCharacters, " ")}"`,
  );
  response.setHeader("warning", quoted.map(toLatin1));
}

/** Warnings take at most 4096 characters together; where they would take more, each is cut at 256 first. */
function shortened(texts: readonly string[]): string[] {
  let total = 0;
  const fits = (text: string) => {
    total += text.length;
    return total <= 4096;
  };
  if (texts.every(fits)) return [...texts];
  total = 0;
  return texts.map((text) => text.slice(0, 256)).filter(fits);
}

/** A header's bytes are those of the text's UTF-8. */
function toLatin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** Writes a whole answer. */
export function send(response: ServerResponse, code: number, body: unknown, accepted?: Accepted): void {
  if (response.headersSent || response.destroyed) return;
  const yaml = accepted?.mediaType === "application/yaml";
  const text = yaml ? dump(body, { noRefs: true }) : `${JSON.stringify(body)}\n`;
  response.writeHead(code, {
    "content-type": contentType(accepted, yaml),
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-cache, private",
  });
  response.end(text);
}

function contentType(accepted: Accepted | undefined, yaml: boolean): string {
  if (yaml) return "application/yaml";
  if (accepted?.as === undefined) return "application/json";
  return `application/json;g=${accepted.group};v=${accepted.version};as=${accepted.as}`;
}

export function sendText(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, { "content-type": "text/plain; charset=utf-8", "content-length": Buffer.byteLength(text) });
  response.end(text);
}

/** Any error as the ApiError whose Status goes on the wire. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return apiError.internal(error instanceof Error ? error.message : String(error));
}
