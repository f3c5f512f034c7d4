import type { IncomingMessage } from "node:http";
import { JSON_SCHEMA, load } from "js-yaml";
import { apiError } from "../api/api-error.ts";

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
      try {
        return JSON.parse(text);
      } catch (error) {
        throw apiError.badRequest(
          `the object provided is unrecognized (must be of type ${type}): ${(error as Error).message}`,
        );
      }
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
