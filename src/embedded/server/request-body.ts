import type { IncomingMessage } from "node:http";
import { JSON_SCHEMA, load } from "js-yaml";
import { apiError } from "../api/api-error.ts";
import { parseErrors } from "../registry/request-body.ts";
import { parseJson } from "../schema/parse-json.ts";

/** As kube-apiserver's limit for a request body. */
const maxBytes = 3 * 1024 * 1024;

/** @throws ApiError 413 when the body is larger than Kubernetes takes */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw apiError.requestTooLarge(`limit is ${maxBytes}`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The media type of a Content-Type header. */
export function mediaType(header: string | undefined): string {
  return (header ?? "application/json").split(";")[0]!.trim().toLowerCase();
}

/**
 * A JSON or YAML body as a value; undefined for an empty one.
 *
 * @throws ApiError 400 for a text that is neither, 415 for another media type
 */
export function parseBody(body: Buffer, type: string): unknown {
  if (body.length === 0) return undefined;
  const text = body.toString("utf8");
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
